# The words of checkout, orders, tickets, and what is done with them.

## Checkout

checkout-title = الدفع: { $event }
checkout-heading = الدفع
checkout-fee-order = رسوم كل طلب
checkout-fee-ticket = { $count } × رسوم التذكرة
checkout-pay = ادفع { $sum }
checkout-moment = لحظة من فضلك…
checkout-email = البريد الإلكتروني لتذاكرك
checkout-provider = يتم الدفع في صفحة خدمة الدفع. نحن لا نرى بيانات بطاقتك أبدًا.
checkout-accept = أوافق على { $terms }
checkout-terms = شروط البائع
checkout-terms-new = لدى البائع شروط جديدة. يُرجى قراءتها والموافقة عليها.
checkout-change-seats = → تغيير المقاعد

## The buyer's address

postal-heading = اسمك وعنوانك
postal-name = الاسم
postal-street = الشارع والرقم
postal-postcode = الرمز البريدي (إن وُجد)
postal-city = المدينة
postal-country = البلد

## What has become of an order

order-title-pending = بانتظار دفعتك
order-text-pending = تظهر تذاكرك هنا حالما تخبرنا خدمة الدفع بوصول الدفعة.
order-title-paid = تم الدفع. يجري إعداد تذاكرك
order-text-paid = يستغرق هذا بضع ثوانٍ.
order-title-ticketed = تذاكرك
order-title-failed = لقد أعدت هذه المقاعد
order-text-failed = لم يُخصم أي مبلغ.
order-title-expired = انتهى وقت الدفع
order-text-expired = لم يُخصم أي مبلغ، وأُعيدت مقاعدك.
order-title-refund-due = يُعاد المبلغ إليك
order-text-refund-due = وصلت الدفعة بعد أن ذهبت مقاعدك إلى غيرك، ولم يكن بالإمكان حفظها لك.
order-title-refunded = أُعيد المبلغ إليك
order-title-cancelled = أُلغي الطلب
order-text-cancelled = لم تعد التذاكر صالحة.
order-title-disputed = تذاكرك غير صالحة حاليًا
order-text-disputed = طلب بنكك استرداد هذه الدفعة، لذلك تذاكرك غير صالحة حاليًا. إذا كان ذلك خطأ، فيُرجى إبلاغ بنكك: حالما يسحب طلبه تصبح صالحة من جديد.
order-title-charged-back = انتهى هذا الطلب
order-text-charged-back = استرد بنكك الدفعة، ولم تعد تذاكرك صالحة. لن يُخصم أي مبلغ آخر.
order-title-declined = رُفضت بطاقة الدفع
order-text-declined = رفض بنكك بطاقة الدفع. لم يُخصم أي مبلغ. مقاعدك محجوزة لك حتى { $time }.
order-title-card-limit = بلغت بطاقة الدفع هذه حدّها
order-text-card-limit = دُفع بهذه البطاقة ثمن أكبر عدد من الأماكن يُسمح به لبطاقة واحدة. لم يُخصم أي مبلغ. مقاعدك محجوزة لك حتى { $time }.
order-title-all-passed-on = لقد نقلت تذاكرك إلى غيرك
order-text-all-passed-on = التذاكر الآن لدى آخرين، ولكل تذكرة رمزها الخاص.
order-title-event-cancelled = أُلغيت الفعالية
order-text-event-cancelled = ألغى المنظّم هذه الفعالية. لم تعد تذاكرك صالحة، ويُعاد إليك كل ما دفعته.
order-title-settling = نتحقق مما إذا كنت قد دفعت
order-text-settling = انتهى وقت الدفع، ولم تخبرنا خدمة الدفع بعد إن كنت قد دفعت. إذا كنت قد دفعت، فستظهر تذاكرك هنا. وإلا فستُعاد المقاعد في الساعة { $time } على الأكثر.
order-text-settling-late = انتهى وقت الدفع، ولم تخبرنا خدمة الدفع بعد إن كنت قد دفعت. إذا كنت قد دفعت، فستحصل هنا على تذاكرك، أو يُعاد إليك المبلغ إذا صارت المقاعد لغيرك.
order-title-void = تذاكرك لاغية
order-text-void = ألغاها المنظّم، ولم تعد صالحة. يُرجى التواصل مع المنظّم.
order-text-void-these = هذه التذاكر لاغية: { $labels }. لم تعد صالحة. يُرجى التواصل مع المنظّم.
order-word-pending = بانتظار الدفع
order-word-paid = مدفوع
order-word-ticketed = تذاكر
order-word-failed = أُعيدت المقاعد
order-word-expired = لم يُدفع
order-word-refund-due = يُعاد المبلغ
order-word-refunded = أُعيد المبلغ
order-word-cancelled = ملغى
order-word-disputed = غير صالح حاليًا
order-word-charged-back = انتهى
order-word-event-cancelled = أُلغيت الفعالية
order-word-none-left = لم تبق أي تذكرة
order-refunding = تجري إعادة المبلغ إليك. تحتاج البنوك إلى بضعة أيام لذلك. ألم يصل المبلغ حتى ذلك الحين؟ يُرجى التواصل مع شباك التذاكر.
order-refund-owed = سيُعاد إليك { $sum } قريبًا. تحتاج البنوك إلى بضعة أيام لذلك. ألم يصل المبلغ حتى ذلك الحين؟ يُرجى التواصل مع شباك التذاكر.
order-refund-sent = { $sum } في الطريق إليك. تحتاج البنوك إلى بضعة أيام لذلك. ألم يصل المبلغ حتى ذلك الحين؟ يُرجى التواصل مع شباك التذاكر.
order-refund-arrived = أُعيد إليك { $sum }. قد يستغرق ظهوره لدى بنكك بضعة أيام.
order-refund-attention = لم يصل المبلغ المُعاد إليك، { $sum }، إلى بنكك. أُبلغ المنظّم بذلك وسيتولى الأمر، ولا يلزمك فعل أي شيء الآن.
order-refund-handled = لم يصل المبلغ المُعاد إليك، { $sum }، إلى بنكك في البداية، وقد تولى المنظّم الأمر. ألم يصل بعد؟ يُرجى التواصل مع شباك التذاكر.
order-title-refund-attention = يتولى المنظّم أمر المبلغ المُعاد إليك
order-title-refund-handled = سُوّي أمر المبلغ المُعاد إليك
order-paid-twice = لقد دفعت ثمن هذا الطلب مرة ثانية. { $text }

## An order's page

order-heading = الطلب
order-payment = الدفعة
order-copy = نسخ
order-vat = يشمل ضريبة بنسبة { $rate }%، { $sum }
order-postal = الاسم والعنوان البريدي: { $address }
order-mails-to = تُرسل الرسائل إلى { $email }.
order-places = { $count ->
    [zero] { $event }
    [one] { $event }، مكان واحد
    [two] { $event }، مكانان
    [few] { $event }، { $count } أماكن
    [many] { $event }، { $count } مكانًا
   *[other] { $event }، { $count } مكان
}
order-calendar = إضافة إلى التقويم
order-invoice = فاتورة (PDF)
order-to-payment = إلى صفحة الدفع
order-unpaid = لم يُدفع بعد. إذا رُفضت بطاقة الدفع أو عدت دون أن تدفع: لم يُخصم أي مبلغ، ويمكنك المحاولة مرة أخرى.
order-held-for = مقاعدك محجوزة لك لمدة { $clock }.
order-change-address = تغيير العنوان
order-tickets-go-to = تُرسل التذاكر إلى { $email }
order-address-changed = تغيّر العنوان.
order-give-back = إعادة المقاعد
order-give-back-really = هل تريد إعادة المقاعد حقًا؟
order-too-late = انتهى وقت دفع ثمن هذه المقاعد. إذا كنت قد دفعت رغم ذلك، فستعرضه هذه الصفحة.
order-paid-meanwhile = لقد دفعت ثمن هذه المقاعد للتو: هي لك.
order-no-news = انتهت صلاحية تسجيل الدخول، لذلك لا تعرض هذه الصفحة أخبارًا أخرى عن طلبك. { $again }
order-sent-to = أُرسلت إلى { $email }. قد يستغرق وصولها بضع دقائق.
order-send-there = إرسال التذاكر إلى هذا العنوان
order-send-again = تغيير العنوان أو إرسالها مرة أخرى
order-sent-now = تُرسل التذاكر إلى { $email }.
order-sent-often = لقد طلبت إرسال التذاكر عدة مرات اليوم. يُرجى المحاولة غدًا.

## A place, as its label says it; the words are those of mails and tickets

place-seat = { $section } · الصف { $row } · المقعد { $number }
place-table = { $section } · { $row } · الطاولة { $number }
place-box = { $section } · { $row } · المقصورة { $number }

## All orders

orders-count = { $count ->
    [zero] { $sum }
    [one] تذكرة واحدة · { $sum }
    [two] تذكرتان · { $sum }
    [few] { $count } تذاكر · { $sum }
    [many] { $count } تذكرة · { $sum }
   *[other] { $count } تذكرة · { $sum }
}
orders-goes-back = { $text } · يُعاد { $sum }
orders-sent-back = { $text } · أُعيد { $sum }
orders-none = لم تطلب شيئًا بهذا الحساب بعد. يظهر الطلب هنا بعد لحظات من إجرائه.
orders-older = طلبات أقدم
orders-older-failed = تعذّر تحميل الطلبات الأقدم. { $why }
orders-passed-on = نُقلت إليك
orders-bought = اشتريتها أنت
orders-ticket = تذكرة
orders-word-passed-on = نُقلت
orders-word-void = لاغية

## Tickets

ticket-show = { $count ->
    [zero] يُرجى إظهار هذه الرموز عند المدخل، على الشاشة أو على ورق.
    [one] يُرجى إظهار هذا الرمز عند المدخل، على الشاشة أو على ورق.
    [two] يُرجى إظهار هذين الرمزين عند المدخل، على الشاشة أو على ورق.
    [few] يُرجى إظهار هذه الرموز عند المدخل، على الشاشة أو على ورق.
    [many] يُرجى إظهار هذه الرموز عند المدخل، على الشاشة أو على ورق.
   *[other] يُرجى إظهار هذه الرموز عند المدخل، على الشاشة أو على ورق.
}
ticket-all-pdf = التذاكر (PDF)
ticket-number = التذكرة { $number } من { $total }
ticket-loading = جارٍ تحميل التذكرة…
ticket-save = حفظ الصورة
ticket-picture = { $name }، مع رمز QR
ticket-offered = معروضة حتى { $date }. هي لك إلى أن يأخذها أحد.
ticket-not-loaded = تعذّر تحميل { $name }.
ticket-load-again = تحميل من جديد
ticket-gone = نُقلت: { $label }
ticket-gone-text = هذه التذكرة الآن لدى شخص آخر، ولم يعد رمزها هنا صالحًا.
ticket-apple = Apple Wallet
ticket-google = Google Wallet

## Passing a ticket on

transfer-heading = نقل تذكرة إلى شخص آخر
transfer-ended = كان يمكن نقل التذاكر حتى { $date }.
transfer-how = يمكنك ذلك حتى { $date }. تحصل على رابط صالح لمدة 48 ساعة على الأكثر. من يفتحه ويسجّل الدخول يحصل على التذكرة برمز جديد، ولا تعود تذكرتك صالحة. وحتى ذلك الحين تبقى التذكرة لك.
transfer-money = لا يمكنك إلغاء تذكرة نقلتها إلى غيرك. وإذا أُلغيت الفعالية، يُعاد المبلغ إلى مشتري التذاكر.
transfer-pass = نقل
transfer-show-link = إظهار الرابط
transfer-withdraw = سحب
transfer-withdraw-of = سحب العرض: { $label }
transfer-offered-until = معروضة حتى { $date }
transfer-here = هذا هو الرابط.
transfer-withdrawn = سُحب العرض.
transfer-link = رابط العرض
transfer-copy = نسخ الرابط
transfer-good-until = صالح حتى { $date }، لشخص واحد. يُرجى عدم إرساله إلى أي شخص آخر.
transfer-of = { $what }: { $label }

## Taking a ticket over

accept-title = تذكرة لك
accept-ticket = تذكرة
accept-take = أخذ هذه التذكرة
accept-taken = التذكرة لك.
accept-text = ينقل إليك شخص ما هذه التذكرة. حين تأخذها يكون لها رمز جديد لك وحدك. وهي تُحسب من الأماكن المسموح لك بها في هذه الفعالية.
accept-until = العرض صالح حتى { $date }.
accept-none = لا توجد تذكرة لهذا الرابط
accept-own = هذا رابط تذكرتك أنت
accept-not-whole = هذا الرابط غير كامل. يُرجى سؤال من أرسله إليك.
accept-too-late = انتهت مدة هذا العرض. يُرجى سؤال من أرسل إليك الرابط.

## Tickets that were passed on

held-title = { $count ->
    [zero] تذاكرك
    [one] تذكرتك
    [two] تذكرتاك
    [few] تذاكرك
    [many] تذاكرك
   *[other] تذاكرك
}
held-cancelled = ألغى المنظّم هذه الفعالية، ولم تعد تذكرتك صالحة. يُعاد المبلغ إلى مشتريها.
held-not-now = التذكرة غير صالحة الآن. يُرجى سؤال من نقلها إليك.
held-void = لاغية: { $labels }. يُرجى التواصل مع المنظّم.
held-passed-on = لقد نقلت تذكرتك إلى غيرك.

## Giving back

cancel-given-back = أُعيد: { $label }
cancel-fee = ، رسوم { $sum }
cancel-ended = كان يمكن إلغاء هذا الطلب حتى { $date }.
cancel-how = يمكنك الإلغاء حتى { $date }. تصبح التذاكر لاغية فورًا، وتُباع المقاعد من جديد.
cancel-heading-place = إلغاء مكان من هذا الطلب
cancel-heading-either = إلغاء هذا الطلب أو أحد أماكنه
cancel-heading-order = إلغاء هذا الطلب
cancel-fee-kept = تُقتطع رسوم قدرها { $sum }
cancel-all-left = { $count ->
    [zero] كل ما بقي
    [one] كل ما بقي، تذكرة واحدة
    [two] كل ما بقي، تذكرتان
    [few] كل ما بقي، { $count } تذاكر
    [many] كل ما بقي، { $count } تذكرة
   *[other] كل ما بقي، { $count } تذكرة
}
cancel-button = إلغاء، يُعاد { $sum }
cancel-really = هل تريد الإلغاء حقًا؟ يُعاد إليك { $sum }
cancel-really-fee = هل تريد الإلغاء حقًا؟ يُعاد إليك { $sum }، وتُقتطع رسوم قدرها { $fee }
cancel-done = { $what }: أُلغي.
cancel-of = { $button }: { $what }
cancel-place = { $count ->
    [zero] { $label }
    [one] { $label }
    [two] { $label }، التذكرتان
    [few] { $label }، التذاكر كلها وعددها { $count }
    [many] { $label }، التذاكر كلها وعددها { $count }
   *[other] { $label }، التذاكر كلها وعددها { $count }
}

## Tickets that are lost

find-title = العثور على تذاكري
find-how = اكتب البريد الإلكتروني الذي ذكرته عند الطلب. سنرسل إليه رابطًا لتذاكرك.
find-email = البريد الإلكتروني للطلب
find-send = أرسل لي الرابط
find-no-sign-in = لا تحتاج إلى تسجيل الدخول. إذا كان بإمكانك تسجيل الدخول كما في السابق فستجد كل شيء في { $orders }.
find-sent = يُرجى تفقّد بريدك
find-sent-to = إذا اشتُري شيء بالعنوان { $email }، فهناك رسالة في الطريق إليه.
find-link = { $hours ->
    [zero] يعرض رابطها الطلبات والتذاكر. ألم تصل الرسالة بعد بضع دقائق؟ يُرجى البحث في البريد غير المرغوب فيه وتجربة عناوينك الأخرى.
    [one] يعرض رابطها الطلبات والتذاكر، وهو صالح لمدة ساعة واحدة. ألم تصل الرسالة بعد بضع دقائق؟ يُرجى البحث في البريد غير المرغوب فيه وتجربة عناوينك الأخرى.
    [two] يعرض رابطها الطلبات والتذاكر، وهو صالح لمدة ساعتين. ألم تصل الرسالة بعد بضع دقائق؟ يُرجى البحث في البريد غير المرغوب فيه وتجربة عناوينك الأخرى.
    [few] يعرض رابطها الطلبات والتذاكر، وهو صالح لمدة { $hours } ساعات. ألم تصل الرسالة بعد بضع دقائق؟ يُرجى البحث في البريد غير المرغوب فيه وتجربة عناوينك الأخرى.
    [many] يعرض رابطها الطلبات والتذاكر، وهو صالح لمدة { $hours } ساعة. ألم تصل الرسالة بعد بضع دقائق؟ يُرجى البحث في البريد غير المرغوب فيه وتجربة عناوينك الأخرى.
   *[other] يعرض رابطها الطلبات والتذاكر، وهو صالح لمدة { $hours } ساعة. ألم تصل الرسالة بعد بضع دقائق؟ يُرجى البحث في البريد غير المرغوب فيه وتجربة عناوينك الأخرى.
}
find-most = { $hours ->
    [zero] عدد الرسائل إلى العنوان الواحد: { $mails } على الأكثر.
    [one] عدد الرسائل إلى العنوان الواحد في الساعة: { $mails } على الأكثر.
    [two] عدد الرسائل إلى العنوان الواحد في ساعتين: { $mails } على الأكثر.
    [few] عدد الرسائل إلى العنوان الواحد في { $hours } ساعات: { $mails } على الأكثر.
    [many] عدد الرسائل إلى العنوان الواحد في { $hours } ساعة: { $mails } على الأكثر.
   *[other] عدد الرسائل إلى العنوان الواحد في { $hours } ساعة: { $mails } على الأكثر.
}
find-other = تجربة عنوان آخر

## What a mailed link opens

found-title = طلباتك وتذاكرك
found-bought = اشتُريت بعنوان بريدك الإلكتروني. هذا الرابط صالح حتى { $date }.
found-nothing = لم يعد هناك ما يُعرض.
found-older = هناك طلبات أقدم. يُرجى تسجيل الدخول كما فعلت عند الشراء.
found-show = { $count ->
    [zero] عرض التذاكر
    [one] عرض تذكرة واحدة
    [two] عرض تذكرتين
    [few] عرض { $count } تذاكر
    [many] عرض { $count } تذكرة
   *[other] عرض { $count } تذكرة
}
found-passed = نُقلت إلى آخرين: { $places }.
found-returned = أُعيدت: { $places }.
found-ordered = طُلب في { $date }، الطلب { $order }
found-ended = هذا الرابط لا يفتح شيئًا
found-ended-text = الرابط في رسالتنا صالح لمدة 24 ساعة. رابطك أقدم، أو لم يُنسخ كاملًا.
found-ask-new = طلب رابط جديد
