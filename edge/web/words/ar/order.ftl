# The words of checkout, orders, tickets, and what is done with them.

## Checkout

checkout-title = الدفع: { $event }
checkout-heading = الدفع
checkout-no-session = لا توجد لك جلسة مفتوحة هنا. إذا انتهى وقتك فقد أُعيدت مقاعدك.
checkout-fee-order = رسم الطلب
checkout-fee-ticket = { $count } × رسم التذكرة
checkout-pay = ادفع { $sum }
checkout-moment = لحظة من فضلك…
checkout-email = البريد الإلكتروني لتذاكرك
checkout-provider = تدفع في صفحة خدمة الدفع. نحن لا نرى بطاقتك أبدًا.
checkout-accept = أوافق على { $terms }
checkout-terms = شروط البائع
checkout-change-seats = → تغيير المقاعد

## The buyer's address

postal-heading = اسمك وعنوانك
postal-name = الاسم
postal-street = الشارع والرقم
postal-postcode = الرمز البريدي (إن وُجد)
postal-city = المدينة
postal-country = البلد

## What has become of an order

order-title-pending = بانتظار دفعك
order-text-pending = حالما تخبرنا خدمة الدفع، تظهر تذاكرك هنا.
order-title-paid = تم الدفع. يجري إعداد تذاكرك
order-text-paid = يستغرق هذا بضع ثوانٍ.
order-title-ticketed = تذاكرك
order-title-failed = أعدت هذه المقاعد
order-text-failed = لم يُخصم شيء.
order-title-expired = انتهى وقت الدفع
order-text-expired = لم يُخصم شيء، وأُعيدت مقاعدك.
order-title-refund-due = نقودك تعود إليك
order-text-refund-due = وصل الدفع بعد أن ذهبت مقاعدك، فلم يمكن حفظها لك.
order-title-refunded = أُعيدت نقودك
order-title-cancelled = أُلغي الطلب
order-text-cancelled = لم تعد التذاكر صالحة.
order-title-disputed = تذاكرك موقوفة
order-text-disputed = طلب مصرفك استرداد هذا الدفع، لذلك التذاكر غير صالحة الآن. إن كان ذلك خطأ فأخبر مصرفك: حالما يسحب الطلب تصبح صالحة من جديد.
order-title-charged-back = انتهى هذا الطلب
order-text-charged-back = استرد مصرفك الدفع، ولم تعد التذاكر صالحة. لن يُخصم شيء آخر.
order-title-declined = رُفضت بطاقتك
order-text-declined = رفض مصرفك البطاقة. لم يُخصم شيء. مقاعدك لك حتى { $time }.
order-title-card-limit = بلغت هذه البطاقة حدها
order-text-card-limit = اشترت هذه البطاقة من الأماكن ما يُسمح لبطاقة واحدة به. لم يُخصم شيء. مقاعدك لك حتى { $time }.
order-title-all-passed-on = نقلت تذاكرك إلى غيرك
order-text-all-passed-on = هي الآن لدى آخرين، لكل واحدة رمزها الخاص.
order-title-event-cancelled = أُلغيت الفعالية
order-text-event-cancelled = ألغى المنظّم هذه الفعالية. لم تعد تذاكرك صالحة، ويعود إليك كل ما دفعته.
order-title-settling = نتحقق مما إذا كنت قد دفعت
order-text-settling = انتهى وقت الدفع، ولم تقل خدمة الدفع بعد إن كنت قد دفعت. إن كنت قد دفعت تظهر تذاكرك هنا. وإلا تُعاد المقاعد في { $time } على الأكثر.
order-text-settling-late = انتهى وقت الدفع، ولم تقل خدمة الدفع بعد إن كنت قد دفعت. إن كنت قد دفعت تحصل هنا على تذاكرك، أو على نقودك إن كانت المقاعد قد صارت لغيرك.
order-title-void = تذاكرك ملغاة
order-text-void = ألغاها المنظّم. لم تعد صالحة. يُرجى التواصل مع المنظّم.
order-text-void-these = هذه التذاكر ملغاة: { $labels }. لم تعد صالحة. يُرجى التواصل مع المنظّم.
order-word-pending = بانتظار الدفع
order-word-paid = مدفوع
order-word-ticketed = تذاكر
order-word-failed = أُعيد
order-word-expired = لم يُدفع
order-word-refund-due = استرداد
order-word-refunded = استُرد
order-word-cancelled = ملغى
order-word-disputed = موقوف
order-word-charged-back = انتهى
order-word-event-cancelled = أُلغيت الفعالية
order-word-none-left = لم تبق تذكرة
order-refunding = يجري رد المبلغ. تحتاج المصارف إلى بضعة أيام. ألم تصل النقود حتى ذلك الحين؟ يُرجى التواصل مع شباك التذاكر.
order-refund-owed = سيُعاد إليك { $sum } قريبًا. تحتاج المصارف إلى بضعة أيام. ألم تصل النقود حتى ذلك الحين؟ يُرجى التواصل مع شباك التذاكر.
order-refund-sent = { $sum } في الطريق إليك. تحتاج المصارف إلى بضعة أيام. ألم تصل النقود حتى ذلك الحين؟ يُرجى التواصل مع شباك التذاكر.
order-refund-arrived = أُعيد إليك { $sum }. قد يحتاج مصرفك إلى بضعة أيام لإظهاره.
order-refund-attention = لم يصل استردادك البالغ { $sum } إلى مصرفك. أُبلغ المنظّم وسيتولى الأمر؛ لا حاجة إلى أن تفعل شيئًا الآن.
order-refund-handled = لم يصل استردادك البالغ { $sum } إلى مصرفك في البداية، وقد تولى المنظّم الأمر. ألم يصل؟ يُرجى التواصل مع شباك التذاكر.
order-title-refund-attention = استردادك يحتاج إلى المنظّم
order-title-refund-handled = عولج استردادك
order-paid-twice = دفعت ثمن هذا الطلب مرة ثانية. { $text }

## An order's page

order-heading = الطلب
order-payment = الدفع
order-copy = نسخ
order-vat = شامل ضريبة { $rate } %، { $sum }
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
order-unpaid = لم يُدفع بعد. إذا رُفضت البطاقة أو عدت دون دفع: لم يُخصم شيء، ويمكنك المحاولة مرة أخرى.
order-held-for = مقاعدك محجوزة { $clock } أخرى.
order-change-address = تغيير العنوان
order-tickets-go-to = تُرسل التذاكر إلى { $email }
order-address-changed = تغيّر العنوان.
order-give-back = إعادة المقاعد
order-give-back-really = هل تعيد المقاعد حقًا؟
order-too-late = انتهى وقت دفع ثمن هذه المقاعد. إن كنت قد دفعت رغم ذلك فستظهره هذه الصفحة.
order-paid-meanwhile = لقد دفعت ثمن هذه المقاعد للتو: هي لك.
order-no-news = انتهت صلاحية تسجيل الدخول، لذلك لا تعرض هذه الصفحة أخبارًا أخرى عن طلبك. { $again }
order-sent-to = أُرسل إلى { $email }. قد يستغرق بضع دقائق.
order-send-there = إرسال التذاكر إلى هناك
order-send-again = تغييره أو إرسالها من جديد
order-sent-now = تُرسل التذاكر إلى { $email }.
order-sent-often = طلبت إرسال التذاكر عدة مرات اليوم. يُرجى المحاولة غدًا.

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
orders-none = لم تطلب شيئًا بهذا الحساب. يظهر الطلب هنا بعد لحظات من إجرائه.
orders-older = طلبات أقدم
orders-older-failed = تعذّر تحميل الطلبات الأقدم. { $why }
orders-passed-on = نُقلت إليك
orders-bought = اشتريتها أنت
orders-ticket = تذكرة
orders-word-passed-on = نُقلت
orders-word-void = ملغاة

## Tickets

ticket-show = { $count ->
    [zero] أظهر هذه الرموز عند المدخل، على الشاشة أو على ورق.
    [one] أظهر هذا الرمز عند المدخل، على الشاشة أو على ورق.
    [two] أظهر هذين الرمزين عند المدخل، على الشاشة أو على ورق.
    [few] أظهر هذه الرموز عند المدخل، على الشاشة أو على ورق.
    [many] أظهر هذه الرموز عند المدخل، على الشاشة أو على ورق.
   *[other] أظهر هذه الرموز عند المدخل، على الشاشة أو على ورق.
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
ticket-gone-text = هذه التذكرة الآن لدى شخص آخر. رمزها هنا ملغى.
ticket-apple = Apple Wallet
ticket-google = Google Wallet

## Passing a ticket on

transfer-heading = نقل تذكرة إلى شخص آخر
transfer-ended = كان يمكن نقل التذاكر حتى { $date }.
transfer-how = يمكنك ذلك حتى { $date }. تحصل على رابط صالح 48 ساعة على الأكثر. من يفتحه ويسجّل الدخول تكون التذكرة له برمز جديد، وتُلغى تذكرتك. وحتى ذلك الحين تبقى التذكرة لك.
transfer-money = لا يمكنك إلغاء تذكرة نقلتها. وإذا أُلغيت الفعالية تعود النقود إلى مشتري التذاكر.
transfer-pass = نقل
transfer-show-link = إظهار الرابط
transfer-withdraw = سحب
transfer-withdraw-of = سحب العرض: { $label }
transfer-offered-until = معروضة حتى { $date }
transfer-here = هذا هو الرابط.
transfer-withdrawn = سُحب العرض.
transfer-link = رابط العرض
transfer-copy = نسخ الرابط
transfer-good-until = صالح حتى { $date }، لشخص واحد. لا ترسله إلى أحد آخر.
transfer-of = { $what }: { $label }

## Taking a ticket over

accept-title = تذكرة لك
accept-ticket = تذكرة
accept-take = أخذ هذه التذكرة
accept-taken = التذكرة لك.
accept-text = ينقل إليك شخص ما هذه التذكرة. حين تأخذها يكون لها رمز جديد لك وحدك. وهي تُحسب من الأماكن المسموح لك بها في هذه الفعالية.
accept-until = العرض صالح حتى { $date }.
accept-none = لا تذكرة بهذا الرابط
accept-own = هذا رابط تذكرتك أنت
accept-not-whole = هذا الرابط غير كامل. يُرجى سؤال من أرسله إليك.

## Tickets that were passed on

held-title = { $count ->
    [zero] تذاكرك
    [one] تذكرتك
    [two] تذكرتاك
    [few] تذاكرك
    [many] تذاكرك
   *[other] تذاكرك
}
held-cancelled = ألغى المنظّم هذه الفعالية، ولم تعد تذكرتك صالحة. تعود النقود إلى مشتريها.
held-not-now = التذكرة غير صالحة الآن. يُرجى سؤال من نقلها إليك.
held-void = ملغاة: { $labels }. يُرجى التواصل مع المنظّم.
held-passed-on = نقلت تذكرتك إلى غيرك.

## Giving back

cancel-given-back = أُعيد: { $label }
cancel-fee = ، رسم { $sum }
cancel-ended = كان يمكن إلغاء هذا الطلب حتى { $date }.
cancel-how = يمكنك الإلغاء حتى { $date }. تُلغى التذاكر فورًا، وتُباع المقاعد من جديد.
cancel-heading-place = إلغاء مكان من هذا الطلب
cancel-heading-either = إلغاء هذا الطلب أو أحد أماكنه
cancel-heading-order = إلغاء هذا الطلب
cancel-fee-kept = يُحتفظ برسم قدره { $sum }
cancel-all-left = { $count ->
    [zero] كل ما بقي
    [one] كل ما بقي، تذكرة واحدة
    [two] كل ما بقي، تذكرتان
    [few] كل ما بقي، { $count } تذاكر
    [many] كل ما بقي، { $count } تذكرة
   *[other] كل ما بقي، { $count } تذكرة
}
cancel-button = إلغاء، يُعاد { $sum }
cancel-really = هل تلغي حقًا؟ يُعاد إليك { $sum }
cancel-really-fee = هل تلغي حقًا؟ يُعاد إليك { $sum }؛ ويُحتفظ برسم قدره { $fee }
cancel-done = { $what }: أُلغي.
cancel-of = { $button }: { $what }
cancel-place = { $count ->
    [zero] { $label }
    [one] { $label }
    [two] { $label }، التذكرتان
    [few] { $label }، كل التذاكر الـ{ $count }
    [many] { $label }، كل التذاكر الـ{ $count }
   *[other] { $label }، كل التذاكر الـ{ $count }
}

## Tickets that are lost

find-title = البحث عن تذاكري
find-how = اكتب البريد الإلكتروني الذي ذكرته عند الطلب. سنرسل إليه رابطًا لتذاكرك.
find-email = البريد الإلكتروني للطلب
find-send = أرسل لي الرابط
find-no-sign-in = لا تحتاج إلى تسجيل الدخول. إذا كان بإمكانك تسجيل الدخول كما في السابق فستجد كل شيء في { $orders }.
find-sent = انظر في بريدك
find-sent-to = إذا كان شيء قد اشتُري باستخدام { $email } فهناك رسالة في الطريق إليه.
find-link = { $hours ->
    [zero] يعرض رابطها الطلبات والتذاكر. لا رسالة بعد دقائق؟ انظر في البريد غير المرغوب فيه، وجرّب عناوينك الأخرى.
    [one] يعرض رابطها الطلبات والتذاكر، ويعمل ساعة واحدة. لا رسالة بعد دقائق؟ انظر في البريد غير المرغوب فيه، وجرّب عناوينك الأخرى.
    [two] يعرض رابطها الطلبات والتذاكر، ويعمل ساعتين. لا رسالة بعد دقائق؟ انظر في البريد غير المرغوب فيه، وجرّب عناوينك الأخرى.
    [few] يعرض رابطها الطلبات والتذاكر، ويعمل { $hours } ساعات. لا رسالة بعد دقائق؟ انظر في البريد غير المرغوب فيه، وجرّب عناوينك الأخرى.
    [many] يعرض رابطها الطلبات والتذاكر، ويعمل { $hours } ساعة. لا رسالة بعد دقائق؟ انظر في البريد غير المرغوب فيه، وجرّب عناوينك الأخرى.
   *[other] يعرض رابطها الطلبات والتذاكر، ويعمل { $hours } ساعة. لا رسالة بعد دقائق؟ انظر في البريد غير المرغوب فيه، وجرّب عناوينك الأخرى.
}
find-most = { $hours ->
    [zero] تُرسل إلى العنوان الواحد { $mails } رسائل على الأكثر.
    [one] تُرسل إلى العنوان الواحد { $mails } رسائل في الساعة على الأكثر.
    [two] تُرسل إلى العنوان الواحد { $mails } رسائل في ساعتين على الأكثر.
    [few] تُرسل إلى العنوان الواحد { $mails } رسائل في { $hours } ساعات على الأكثر.
    [many] تُرسل إلى العنوان الواحد { $mails } رسائل في { $hours } ساعة على الأكثر.
   *[other] تُرسل إلى العنوان الواحد { $mails } رسائل في { $hours } ساعة على الأكثر.
}
find-other = تجربة عنوان آخر

## What a mailed link opens

found-title = طلباتك وتذاكرك
found-bought = اشتُريت ببريدك الإلكتروني. يعمل هذا الرابط حتى { $date }.
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
found-ended-text = يعمل رابط رسالتنا 24 ساعة. رابطك أقدم، أو لم يُنسخ كاملًا.
found-ask-new = طلب رابط جديد
