# The words of the waiting room and of the sale, and small parts that later pages share.

## How long it takes

soon-moment = بعد لحظات
soon-seconds = { $count ->
    [zero] بعد لحظات
    [one] بعد ثانية واحدة
    [two] بعد ثانيتين
    [few] بعد { $count } ثوانٍ
    [many] بعد { $count } ثانية
   *[other] بعد { $count } ثانية
}
soon-minutes = { $count ->
    [zero] بعد لحظات
    [one] بعد دقيقة تقريبًا
    [two] بعد دقيقتين تقريبًا
    [few] بعد { $count } دقائق تقريبًا
    [many] بعد { $count } دقيقة تقريبًا
   *[other] بعد { $count } دقيقة تقريبًا
}
estimate-under-seconds = { $count ->
    [zero] أقل من ثانية
    [one] أقل من ثانية
    [two] أقل من ثانيتين
    [few] أقل من { $count } ثوانٍ
    [many] أقل من { $count } ثانية
   *[other] أقل من { $count } ثانية
}
estimate-under-minutes = { $count ->
    [zero] أقل من دقيقة
    [one] أقل من دقيقة
    [two] أقل من دقيقتين
    [few] أقل من { $count } دقائق
    [many] أقل من { $count } دقيقة
   *[other] أقل من { $count } دقيقة
}
estimate-under-hours = { $count ->
    [zero] أقل من ساعة
    [one] أقل من ساعة
    [two] أقل من ساعتين
    [few] أقل من { $count } ساعات
    [many] أقل من { $count } ساعة
   *[other] أقل من { $count } ساعة
}
estimate-about-seconds = { $count ->
    [zero] نحو { $from }–{ $count } ثانية
    [one] نحو { $from }–{ $count } ثانية
    [two] نحو { $from }–{ $count } ثانية
    [few] نحو { $from }–{ $count } ثوانٍ
    [many] نحو { $from }–{ $count } ثانية
   *[other] نحو { $from }–{ $count } ثانية
}
estimate-about-minutes = { $count ->
    [zero] نحو { $from }–{ $count } دقيقة
    [one] نحو { $from }–{ $count } دقيقة
    [two] نحو { $from }–{ $count } دقيقة
    [few] نحو { $from }–{ $count } دقائق
    [many] نحو { $from }–{ $count } دقيقة
   *[other] نحو { $from }–{ $count } دقيقة
}
estimate-about-hours = { $count ->
    [zero] نحو { $from }–{ $count } ساعة
    [one] نحو { $from }–{ $count } ساعة
    [two] نحو { $from }–{ $count } ساعة
    [few] نحو { $from }–{ $count } ساعات
    [many] نحو { $from }–{ $count } ساعة
   *[other] نحو { $from }–{ $count } ساعة
}
estimate-over-seconds = { $count ->
    [zero] أكثر من ثانية
    [one] أكثر من ثانية
    [two] أكثر من ثانيتين
    [few] أكثر من { $count } ثوانٍ
    [many] أكثر من { $count } ثانية
   *[other] أكثر من { $count } ثانية
}
estimate-over-minutes = { $count ->
    [zero] أكثر من دقيقة
    [one] أكثر من دقيقة
    [two] أكثر من دقيقتين
    [few] أكثر من { $count } دقائق
    [many] أكثر من { $count } دقيقة
   *[other] أكثر من { $count } دقيقة
}
estimate-over-hours = { $count ->
    [zero] أكثر من ساعة
    [one] أكثر من ساعة
    [two] أكثر من ساعتين
    [few] أكثر من { $count } ساعات
    [many] أكثر من { $count } ساعة
   *[other] أكثر من { $count } ساعة
}
estimate-rarely-seconds = { $count ->
    [zero] { $about }، ونادرًا أكثر من ثانية
    [one] { $about }، ونادرًا أكثر من ثانية
    [two] { $about }، ونادرًا أكثر من ثانيتين
    [few] { $about }، ونادرًا أكثر من { $count } ثوانٍ
    [many] { $about }، ونادرًا أكثر من { $count } ثانية
   *[other] { $about }، ونادرًا أكثر من { $count } ثانية
}
estimate-rarely-minutes = { $count ->
    [zero] { $about }، ونادرًا أكثر من دقيقة
    [one] { $about }، ونادرًا أكثر من دقيقة
    [two] { $about }، ونادرًا أكثر من دقيقتين
    [few] { $about }، ونادرًا أكثر من { $count } دقائق
    [many] { $about }، ونادرًا أكثر من { $count } دقيقة
   *[other] { $about }، ونادرًا أكثر من { $count } دقيقة
}
estimate-rarely-hours = { $count ->
    [zero] { $about }، ونادرًا أكثر من ساعة
    [one] { $about }، ونادرًا أكثر من ساعة
    [two] { $about }، ونادرًا أكثر من ساعتين
    [few] { $about }، ونادرًا أكثر من { $count } ساعات
    [many] { $about }، ونادرًا أكثر من { $count } ساعة
   *[other] { $about }، ونادرًا أكثر من { $count } ساعة
}

## News of the sale, for those who wait

news-paused = أوقف المنظّم البيع مؤقتًا. مكانك محفوظ.
news-none-free = لا يوجد مكان شاغر في هذه اللحظة. قد تعود مقاعد من سلال أخرى، ومكانك محفوظ إلى أن تُباع كلها.
news-few-left = { $count ->
    [zero] لم يبق شيء تقريبًا. قد تنفد قبل دخولك.
    [one] بقي القليل: مكان واحد. قد ينفد قبل دخولك.
    [two] بقي القليل: مكانان. قد ينفدان قبل دخولك.
    [few] بقي القليل: { $count } أماكن. قد تنفد قبل دخولك.
    [many] بقي القليل: { $count } مكانًا. قد تنفد قبل دخولك.
   *[other] بقي القليل: { $count } مكان. قد تنفد قبل دخولك.
}

## Being called, and the turn to pay

call-me = نبّهني عندما يحين دوري
call-sound = سننبّهك بصوت
call-sound-and-note = سننبّهك بصوت وإشعار
turn-busy = كثير من المشترين يدفعون الآن.
turn-away = خدمة الدفع لا تستجيب في هذه اللحظة.
turn-opens = { $why } مقاعدك محفوظة. يُفتح الدفع بعد { $clock }.
turn-kept = { $why } مقاعدك محفوظة.
turn-goes-on = تتابع هذه الصفحة تلقائيًا: يُرجى إبقاؤها مفتوحة.

## What goes wrong on later pages, and in signing in, by the problem's code

problem-sign-in-foreign = لم يبدأ تسجيل الدخول هذا في هذه النافذة، أو أنه اكتمل من قبل. حرصًا على سلامتك لا يُعتدّ به. يُرجى تسجيل الدخول من هنا.
problem-sign-in-declined = أُلغي تسجيل الدخول. يمكنك التصفح بدونه، أما التذاكر فتتطلب أن نعرف من أنت.
problem-sign-in-failed = تعذّر على خدمة تسجيل الدخول إتمام العملية. لم يضع شيء؛ يُرجى المحاولة مرة أخرى.
problem-sign-in-refused = استغرق تسجيل الدخول هذا وقتًا طويلًا، أو أنه استُخدم من قبل. يُرجى تسجيل الدخول مرة أخرى.
problem-sign-in-unavailable = تسجيل الدخول غير متاح الآن. لم يضع شيء؛ يُرجى المحاولة بعد لحظات.
problem-nothing-kept = متصفحك لا يحفظ أي شيء لهذا الموقع، ولذلك لن نتعرف عليك عند عودتك من تسجيل الدخول. يُرجى السماح بملفات تعريف الارتباط وبيانات الموقع، أو فتح الموقع في نافذة أخرى أو متصفح آخر.
problem-forbidden = هذا يخص شخصًا آخر.
problem-not-eligible = هذا البيع غير متاح لحسابك.
problem-not-eligible-verified-phone = { account-no-phone }
problem-not-eligible-account-days = حسابك حديث جدًا بالنسبة إلى هذا البيع.
problem-not-eligible-members = { account-no-member }
problem-not-eligible-members-until = { account-no-member-yet }
problem-not-admitted = لا يمكنك الدخول بعد.
problem-not-admitted-settling = { problem-dependency-unavailable-settling }
problem-locked-out = وردت طلبات غير معتادة كثيرة من هذا الحساب، لذلك يجب أن يتوقف لبعض الوقت.
problem-malformed-input-email = لا يمكن إرسال بريد إلى هذا العنوان. يُرجى التحقق منه.
problem-malformed-input-postal_address = غيّر المنظّم للتو ما يطلبه من بيانات. يُرجى التحقق من اسمك وعنوانك.
problem-malformed-input-postal_address-part = هذا ناقص أو طويل جدًا أو فيه حرف لا يمكن طباعته.
problem-malformed-input-terms = يُرجى قبول شروط البائع أولًا.
problem-seats-taken = كان شخص آخر أسرع: حُجز أحد هذه المقاعد للتو.
problem-single-seat = سيبقى مقعد واحد منفردًا. يُرجى التحرك مقعدًا واحدًا.
problem-no-seats-found = لا توجد مقاعد مطابقة. جرّب عددًا أقل أو سعرًا آخر أو قسمًا آخر.
problem-possible-together = المقاعد المتجاورة المتاحة: { $what }.
problem-possible-whole = المتاح: طاولة أو مقصورة لـ { $what }.
problem-possible-section = توجد مقاعد في القسم { $what }.
problem-possible-area = توجد أماكن غير مرقّمة في { $what }.
problem-wrong-state = لم يعد هذا ممكنًا.
problem-wrong-state-not-sold = لم يُدفع ثمن هذا الطلب، لذلك لا توجد فاتورة.
problem-wrong-state-no-seller = لا يُصدر المنظّم فواتير لهذه الفعالية.
problem-wrong-state-not-yet = تُصدر الفاتورة خلال دقائق من انتهاء وقت الدفع. يُرجى المحاولة مرة أخرى عندئذ.
problem-wrong-state-no-mail = لا تُرسل رسائل بريد من هنا، لذلك لا يمكن العثور على التذاكر بالبريد. يُرجى تسجيل الدخول كما فعلت عند الشراء، أو التواصل مع شباك التذاكر.
problem-wrong-state-being-made = يجري إعداد تذاكرك. يُرجى المحاولة بعد لحظات.
problem-wrong-state-event-cancelled = ألغى المنظّم هذه الفعالية. يُعاد كل ما دُفع إلى المشتري تلقائيًا.
problem-wrong-state-void = لا يمكن إلغاء التذاكر غير الصالحة ولا نقلها. يُرجى التواصل مع المنظّم.
problem-wrong-state-never = لا يتيح المنظّم ذلك لهذه التذاكر.
problem-wrong-state-too-late = انتهت المهلة المحددة لذلك.
problem-wrong-state-withdrawn = سُحب هذا العرض. يمكن لمن ينقل التذكرة إرسال رابط جديد.
problem-wrong-state-own = هذه تذكرتك أنت. أرسل الرابط إلى من تريد أن تكون له.
problem-wrong-state-accepted = سبق أن أُخذت هذه التذكرة، وهي ليست لك الآن.
problem-wrong-state-too-often = نُقلت هذه التذكرة أكبر عدد مسموح به من المرات. تبقى لك.
problem-wrong-state-passed-on = نُقلت تذكرة إلى شخص آخر، ولم يعد مكانها لك.
problem-version-conflict = تغيّر شيء في هذه الأثناء. يُرجى المحاولة مرة أخرى.
problem-hold-expired = انتهت مدة هذه المقاعد وأُعيدت.
problem-session-expired = انتهى وقت الاختيار وأُعيدت مقاعدك.
problem-sale-over = انتهى البيع.
problem-payment-waits = كثير من المشترين يدفعون الآن. مقاعدك محفوظة؛ يُرجى المحاولة بعد لحظات.
problem-payment-waits-busy = { problem-payment-waits }
problem-payment-waits-away = { turn-away } مقاعدك محفوظة؛ يُرجى المحاولة بعد لحظات.
problem-payment-refused = لم يعد دفع هذا الطلب ممكنًا.
problem-payment-refused-already-refunded = سبق أن أُعيد هذا المبلغ.
problem-payment-refused-disputed = يسترد بنكك هذا المبلغ، لذلك لا يمكن إعادته من هنا.
problem-payment-refused-failed = أُرسل المبلغ المُعاد، وردّه البنك. يُرجى التواصل مع شباك التذاكر.
problem-payment-refused-invalid = لا تقبل خدمة الدفع ذلك. يُرجى التواصل مع شباك التذاكر.
problem-payment-refused-too-late = انتهى وقت دفع ثمن هذا الطلب.
problem-payment-refused-too-old = مضى على هذا الدفع وقت طويل، فلا يمكن إعادته إلى البطاقة. يُرجى التواصل مع شباك التذاكر.
problem-payment-refused-unknown-payment = لا تعرف خدمة الدفع هذه العملية. يُرجى التواصل مع شباك التذاكر.
problem-idempotency-mismatch = أُرسل هذا الطلب من قبل بصيغة أخرى. يُرجى إعادة تحميل الصفحة.
problem-limit-exceeded = هذا أكثر مما يجوز لمشترٍ واحد.
problem-limit-exceeded-address = هذا أكثر مما يجوز من الأماكن للعنوان البريدي الواحد.
problem-limit-is = { $text } الحد هو { $limit }.
problem-until = { $text } تبقى مقاعدك لك حتى { $time } على الأكثر.
problem-dependency-unavailable-settling = لم يتضح بعد هل دُفع ثمن هذه المقاعد.
problem-too-early = كان ذلك مبكرًا قليلًا. تحاول الصفحة مرة أخرى تلقائيًا.
problem-link-ended = هذا الرابط لا يفتح شيئًا. يعمل الرابط 24 ساعة: يُرجى طلب رابط جديد.
problem-waiting-token-ended = كان لا بد من إعطائك مكانًا جديدًا. القرعة هي نفسها.

## Small parts

part-copied = نُسخ
part-copy-yourself = يُرجى نسخه بنفسك
part-close-notice = إغلاق هذا التنبيه

## A page that needs a sign-in

sign-in-again = تسجيل الدخول مرة أخرى
sign-in-failed = لم تسجّل الدخول
sign-in-heading = يُرجى تسجيل الدخول
sign-in-heading-again = يُرجى تسجيل الدخول مرة أخرى
sign-in-why-wait = لكل شخص مكان واحد في غرفة الانتظار، لذلك نحتاج إلى معرفة من أنت.
sign-in-why-theirs = لا تُعرض الطلبات والتذاكر إلا لأصحابها، لذلك نحتاج إلى معرفة من أنت.
sign-in-why-accept = ينقل إليك شخص ما تذكرة. سجّل الدخول لتراها وتأخذها: ستكون بعدها في «طلباتي». لا يُخصم شيء.
sign-in-why-ended = انتهت صلاحية تسجيل الدخول. هذا وحده لا يكلّفك شيئًا: مكانك في غرفة الانتظار والمقاعد التي حجزتها تبقى حتى ينتهي وقتها. يُرجى تسجيل الدخول بالحساب نفسه.
sign-in-lost-tickets = هل فقدت تذاكرك؟ { $link }.
sign-in-lost-tickets-link = ابحث عنها بالبريد الإلكتروني

## Whom a sale is open to

account-members-until = حتى { $date } لا يشتري التذاكر إلا الأعضاء ({ $names }). ثم يُفتح البيع للجميع.
account-members = لا يشتري التذاكر إلا الأعضاء ({ $names }).
account-phone = يحتاج حسابك إلى رقم هاتف موثّق.
account-days = { $count ->
    [zero] يجب أن يكون عمر حسابك كافيًا.
    [one] يجب أن يكون عمر حسابك يومًا واحدًا على الأقل.
    [two] يجب أن يكون عمر حسابك يومين على الأقل.
    [few] يجب أن يكون عمر حسابك { $count } أيام على الأقل.
    [many] يجب أن يكون عمر حسابك { $count } يومًا على الأقل.
   *[other] يجب أن يكون عمر حسابك { $count } يوم على الأقل.
}
account-address-limit = { $count ->
    [zero] لا أماكن للعنوان البريدي الواحد.
    [one] للعنوان البريدي الواحد مكان واحد على الأكثر في كل الطلبات.
    [two] للعنوان البريدي الواحد مكانان على الأكثر في كل الطلبات.
    [few] للعنوان البريدي الواحد { $count } أماكن على الأكثر في كل الطلبات.
    [many] للعنوان البريدي الواحد { $count } مكانًا على الأكثر في كل الطلبات.
   *[other] للعنوان البريدي الواحد { $count } مكان على الأكثر في كل الطلبات.
}
account-card-limit = { $count ->
    [zero] لا أماكن لبطاقة الدفع الواحدة.
    [one] تدفع بطاقة الدفع الواحدة ثمن مكان واحد على الأكثر في كل الطلبات.
    [two] تدفع بطاقة الدفع الواحدة ثمن مكانين على الأكثر في كل الطلبات.
    [few] تدفع بطاقة الدفع الواحدة ثمن { $count } أماكن على الأكثر في كل الطلبات.
    [many] تدفع بطاقة الدفع الواحدة ثمن { $count } مكانًا على الأكثر في كل الطلبات.
   *[other] تدفع بطاقة الدفع الواحدة ثمن { $count } مكان على الأكثر في كل الطلبات.
}
account-no-phone = ليس لحسابك رقم هاتف موثّق، لذلك لا يمكنك شراء تذاكر لهذه الفعالية. يُرجى توثيق رقمك حيث تسجّل الدخول، ثم تسجيل الخروج هنا والدخول من جديد.
account-too-young = { $count ->
    [zero] حسابك حديث جدًا، أُنشئ في { $since }، لذلك لا يمكنك شراء تذاكر.
    [one] يجب أن يكون عمر الحساب يومًا واحدًا على الأقل لهذه الفعالية. أُنشئ حسابك في { $since }، لذلك لا يمكنك شراء تذاكر.
    [two] يجب أن يكون عمر الحساب يومين على الأقل لهذه الفعالية. أُنشئ حسابك في { $since }، لذلك لا يمكنك شراء تذاكر.
    [few] يجب أن يكون عمر الحساب { $count } أيام على الأقل لهذه الفعالية. أُنشئ حسابك في { $since }، لذلك لا يمكنك شراء تذاكر.
    [many] يجب أن يكون عمر الحساب { $count } يومًا على الأقل لهذه الفعالية. أُنشئ حسابك في { $since }، لذلك لا يمكنك شراء تذاكر.
   *[other] يجب أن يكون عمر الحساب { $count } يوم على الأقل لهذه الفعالية. أُنشئ حسابك في { $since }، لذلك لا يمكنك شراء تذاكر.
}
account-age-unknown = { $count ->
    [zero] لا يذكر تسجيل دخولك عمر حسابك، لذلك لا يمكنك شراء تذاكر لهذه الفعالية.
    [one] يجب أن يكون عمر الحساب يومًا واحدًا على الأقل لهذه الفعالية، ولا يذكر تسجيل دخولك عمر حسابك. لذلك لا يمكنك شراء تذاكر لها.
    [two] يجب أن يكون عمر الحساب يومين على الأقل لهذه الفعالية، ولا يذكر تسجيل دخولك عمر حسابك. لذلك لا يمكنك شراء تذاكر لها.
    [few] يجب أن يكون عمر الحساب { $count } أيام على الأقل لهذه الفعالية، ولا يذكر تسجيل دخولك عمر حسابك. لذلك لا يمكنك شراء تذاكر لها.
    [many] يجب أن يكون عمر الحساب { $count } يومًا على الأقل لهذه الفعالية، ولا يذكر تسجيل دخولك عمر حسابك. لذلك لا يمكنك شراء تذاكر لها.
   *[other] يجب أن يكون عمر الحساب { $count } يوم على الأقل لهذه الفعالية، ولا يذكر تسجيل دخولك عمر حسابك. لذلك لا يمكنك شراء تذاكر لها.
}
account-no-member-yet = حسابك ليس عضوًا. يُرجى العودة في { $date }: لا فائدة من القدوم قبل ذلك.
account-no-member = حسابك ليس عضوًا، لذلك لا يمكنك شراء تذاكر لهذه الفعالية.

## The waiting room

wait-title = غرفة الانتظار: { $event }
wait-heading-joining = نحجز لك مكانًا…
wait-heading-elsewhere = نافذة أخرى تحتفظ بمكانك
wait-heading-solving = فحص قصير لمتصفحك…
wait-heading-waiting = أنت في غرفة الانتظار
wait-heading-prequeue = وصلت مبكرًا، ومكانك محفوظ
wait-heading-asking = نسأل إن كان يمكنك الدخول…
wait-heading-paused = البيع متوقف مؤقتًا
wait-heading-full = أوشكت على الدخول
wait-heading-settling = تجري تسوية طلبك الأخير
wait-heading-locked = لا يمكنك الدخول بعد
wait-heading-busy = الخدمة مزدحمة جدًا
wait-heading-offline = انقطع الاتصال
wait-heading-strange = شيء في هذه الشبكة يجيب بدلًا منا
wait-heading-stripped = شيء في هذه الشبكة يحذف جزءًا مما ترسله هذه الصفحة
wait-text-joining = لحظة من فضلك.
wait-text-elsewhere = تابع هناك. تتولى هذه النافذة الأمر تلقائيًا عند إغلاق الأخرى.
wait-text-solving = يقوم جهازك بعمل صغير حتى لا يستطيع أحد إرسال آلاف الروبوتات.
wait-text-waiting = تُجرى القرعة بعدل، وكلما طال انتظارك زادت فرصتك. سندخلك تلقائيًا.
wait-text-prequeue = لكل من يكون هنا عند بدء البيع الفرصة نفسها: لا فائدة من أن تكون الأول.
wait-text-asking = لحظة من فضلك.
wait-text-paused = أوقف المنظّم الصف لحظات. مكانك محفوظ، وسيستأنف الصف تلقائيًا.
wait-text-full = كل الأماكن في الداخل مشغولة في هذه اللحظة. تُتاح بترتيب القرعة، فلا يفيد السؤال قبل الموعد أحدًا.
wait-text-settling = مكانك محفوظ، وتحاول الصفحة مرة أخرى تلقائيًا.
wait-text-locked = مكانك محفوظ، وتحاول الصفحة مرة أخرى تلقائيًا.
wait-text-busy = مكانك محفوظ. تحاول الصفحة مرة أخرى تلقائيًا.
wait-text-offline = مكانك محفوظ على هذا الجهاز. تتابع الصفحة عند عودة الاتصال.
wait-text-strange = نواصل المحاولة؛ مكانك محفوظ. إذا طلبت هذه الشبكة تسجيل الدخول فافتح صفحتها؛ وإلا فقد تفيد شبكة أخرى، كشبكة هاتفك.
wait-text-stripped = بدون ذلك الجزء لا يمكننا معرفة مكانك. نواصل المحاولة؛ مكانك محفوظ. غالبًا ما تفيد شبكة أخرى، كشبكة هاتفك.
wait-says-estimate = { $heading }: { $estimate }
wait-lapsed = انتهى مكانك أثناء سكون هذه الصفحة، فأُعطيت مكانًا جديدًا: تنتظر من الآن.
wait-noticed = لوحظت طلبات غير معتادة من هذا الحساب، لذلك يجري متصفحك فحصًا أطول.
wait-hint-open = أبقِ هذه الصفحة مفتوحة. يمكنك إعادة تحميلها أو قفل الشاشة بضع دقائق: مكانك محفوظ.
wait-hint-windows = التحديث أو فتح نوافذ أكثر أو خط أسرع لا يفيد أحدًا.
wait-leave = مغادرة غرفة الانتظار
wait-really-leave = هل تغادر حقًا؟ ستفقد مكانك
wait-starts-in = يبدأ البيع بعد
wait-fact-estimate = انتظارك من الآن
wait-fact-unknown = غير معروف بعد
wait-fact-starts = يبدأ البيع
wait-fact-since = تنتظر منذ
wait-fact-next = النظرة التالية
wait-fact-now = الآن
wait-turn = حان دورك
wait-you-are-in = لقد دخلت حتى { $until }. يُرجى اختيار مقاعدك.
in-title = لقد دخلت: { $event }
in-heading = لقد دخلت
in-since = دخلت في { $from }. بدأ وقت الاختيار، وينتهي في { $until }.
in-until = بدأ وقت الاختيار، وينتهي في { $until }.
in-choose = اختيار المقاعد
in-steps = ما عليك فعله
in-step-choose = اختر قسمًا على المخطط، أو دعنا نجد أفضل المقاعد: { $limit } على الأكثر في كل مرة.
in-step-hold = احجز مقاعدك. ما اخترته فقط يبقى متاحًا للآخرين.
in-step-pay = انتقل إلى الدفع قبل انتهاء وقتك. وقت الدفع بعد ذلك: { $time }.
in-ends = عند انتهاء وقتك يعود ما حجزته إلى الآخرين.
wait-room-full = غرفة الانتظار ممتلئة
wait-room-full-text = لا يُقبل أحد جديد. من ينتظر بالفعل سيدخل. نأسف لأنك وصلت متأخرًا هذه المرة.
wait-sale-over = انتهى البيع
wait-sold-out = نفدت التذاكر
wait-sold-out-text = وجد كل مقعد صاحبه. نأسف لأنك لم تكن منهم هذه المرة؛ كانت القرعة عادلة.
wait-closed-text = انتهى البيع. شكرًا لانتظارك.
wait-break-open = يُرجى استخدام نافذة واحدة وعدم التحديث؛ تسأل الصفحة تلقائيًا.
wait-lock-ends = ينتهي هذا بعد
wait-lock-person = قرر هذا شخص لدى المنظّم. السبب: { $reason }
wait-appeal-text = ماذا ينبغي أن يعرف هذا الشخص؟ (اختياري)
wait-appeal-ask = اطلب من شخص أن يراجع
wait-appealed = طُلب من شخص أن يراجع. إذا سمح لك بالدخول فستتابع هذه الصفحة فورًا، وإلا فستتابع عند انتهاء الوقت. ليس عليك فعل شيء آخر.
wait-used-up = لا يمكنك الدخول مرة أخرى
wait-used-up-text = استخدمت كل جلساتك لهذه الفعالية، وستنتظر دون جدوى.
wait-not-eligible = هذا البيع غير متاح لحسابك
wait-trying-again = نحاول مرة أخرى تلقائيًا.
room-as-of = الأماكن المتاحة في { $time }.
ready-title = جهّز مسبقًا
ready-sign-in = لقد سجّلت الدخول. لا حاجة إلى شيء آخر لذلك.
ready-pay = بطاقة أو محفظة للدفع، والتطبيق الذي يطلب منك مصرفك التأكيد فيه.
ready-address = عنوانك البريدي: يُطلب عند الدفع.
ready-wishes = السعر الذي تريده، وخياران آخران.
ready-limit = الأماكن لكل حساب: { $limit } على الأكثر.
ready-times = وقت الاختيار: { $choose }. وقت الدفع بعد ذلك: { $pay }.

## The end of a session

session-time-over = انتهى وقت الاختيار، وأُعيدت مقاعدك ليتمكن آخرون من الحصول عليها.
session-none = لا توجد لك جلسة مفتوحة هنا. إذا انتهى وقتك فقد أُعيدت مقاعدك.
session-ended = انتهت هذه الجلسة.
session-over = انتهت جلستك
session-ordered = لقد طلبت
session-ordered-text = طلبك لهذه الفعالية محفوظ. لا توجد لك جلسة مفتوحة لها الآن.

## The sale

sale-title = اختر مقاعدك: { $event }
sale-time = الوقت المتبقي
sale-time-left = بقي { $time }
sale-one-minute = بقيت دقيقة واحدة.
sale-to-venue = العودة إلى القاعة كاملة
sale-show-list = عرض كقائمة
sale-show-map = عرض المخطط
sale-seat-taken = { $seat } محجوز.
sale-seat-mine = { $seat } محجوز لك بالفعل.
sale-seat-chosen = اختير { $seat }
sale-seat-unchosen = أُلغي اختيار { $seat }
sale-limit = يجوز لمشترٍ واحد حجز { $limit } على الأكثر. أعد واحدًا لتختار غيره.
sale-limit-held = { $count ->
    [zero] يجوز لمشترٍ واحد حجز { $limit } على الأكثر، ولم يُحجز شيء بعد.
    [one] يجوز لمشترٍ واحد حجز { $limit } على الأكثر، وحُجز واحد بالفعل.
    [two] يجوز لمشترٍ واحد حجز { $limit } على الأكثر، وحُجز اثنان بالفعل.
    [few] يجوز لمشترٍ واحد حجز { $limit } على الأكثر، وحُجز { $count } بالفعل.
    [many] يجوز لمشترٍ واحد حجز { $limit } على الأكثر، وحُجز { $count } بالفعل.
   *[other] يجوز لمشترٍ واحد حجز { $limit } على الأكثر، وحُجز { $count } بالفعل.
}
sale-held = محجوز لك: { $seats }.
sale-given-back = أُعيد.
sale-faster = { $count ->
    [zero] كان شخص آخر أسرع: { $seats }.
    [one] كان شخص آخر أسرع: { $seats } محجوز.
    [two] كان شخص آخر أسرع: { $seats } محجوزان.
    [few] كان شخص آخر أسرع: { $seats } محجوزة.
    [many] كان شخص آخر أسرع: { $seats } محجوزة.
   *[other] كان شخص آخر أسرع: { $seats } محجوزة.
}
sale-faster-others = ما زالت الأخرى مختارة، ولم تُحجز بعد.
sale-faster-choose = يُرجى اختيار غيره.
sale-being-taken = يحجز شخص آخر { $seats } في هذه اللحظة. وإن لم يفعل فسيتاح بعد ثوانٍ قليلة.
sale-just-taken = حجزه شخص آخر للتو: { $seats }.
sale-outdated = المخطط غير محدّث في هذه اللحظة. المقاعد التي حجزتها محفوظة.
sale-seats = { $count ->
    [zero] لا مقاعد
    [one] مقعد واحد
    [two] مقعدان
    [few] { $count } مقاعد
    [many] { $count } مقعدًا
   *[other] { $count } مقعد
}

## Beside the map

panel-title = مقاعدك
panel-key = على المخطط النقاط الرمادية الصغيرة محجوزة أو أخفتها أسعارك، والخطوط تعني أن القليل بقي، و✓ لك.
panel-to-map = العودة إلى المخطط
panel-to-seats = مقاعدك وأفضل المتاح
panel-best = أفضل المتاح
panel-any-price = أي سعر
panel-find = ابحث عن مقاعد واحجزها
panel-seats = المقاعد
panel-price = السعر
panel-where = المكان
panel-anywhere = أي مكان
panel-wheelchair = مع مكان لكرسي متحرك
panel-holding = جارٍ الحجز…
panel-hold = { $count ->
    [zero] حجز مقاعد
    [one] حجز مقعد واحد
    [two] حجز مقعدين
    [few] حجز { $count } مقاعد
    [many] حجز { $count } مقعدًا
   *[other] حجز { $count } مقعد
}
panel-chosen-title = { $count ->
    [zero] المختار: لا شيء
    [one] المختار: مقعد واحد
    [two] المختار: مقعدان
    [few] المختار: { $count } مقاعد
    [many] المختار: { $count } مقعدًا
   *[other] المختار: { $count } مقعد
}
panel-chosen = { $count ->
    [zero] لم يُختر شيء
    [one] اختير مقعد واحد
    [two] اختير مقعدان
    [few] اختيرت { $count } مقاعد
    [many] اختير { $count } مقعدًا
   *[other] اختير { $count } مقعد
}
panel-held = { $count ->
    [zero] لم يُحجز شيء
    [one] حُجز مقعد واحد
    [two] حُجز مقعدان
    [few] حُجزت { $count } مقاعد
    [many] حُجز { $count } مقعدًا
   *[other] حُجز { $count } مقعد
}
panel-not-held = لم يُحجز بعد.
panel-held-title = محجوز لك
panel-total = المجموع
panel-fees = كل الرسوم ضمن المجموع.
panel-go-to-checkout = إلى الدفع
panel-checkout = الدفع
panel-nothing = لم يُحجز شيء بعد
panel-empty = لم يُحجز شيء بعد. اختر قسمًا على المخطط، أو دعنا نجد أفضل المقاعد. يمكنك حجز { $limit } على الأكثر.
panel-not-this = عدم أخذ { $seat }
panel-give-back = إعادة
panel-give-these-back = إعادة هذه

## Seats as a list

list-row = الصف { $row }
list-free = { $count ->
    [zero] لا مقاعد شاغرة
    [one] مقعد واحد شاغر
    [two] مقعدان شاغران
    [few] { $count } مقاعد شاغرة
    [many] { $count } مقعدًا شاغرًا
   *[other] { $count } مقعد شاغر
}
list-none-free = لا شاغر
list-state-mine = محجوز لك
list-state-gone = محجوز
list-kind-accessible = مهيأ لذوي الإعاقة
list-kind-companion = مرافق
list-table-for = طاولة لـ { $count }
list-box-for = مقصورة لـ { $count }

## An area without numbered seats

area-hold = حجز أماكن
area-free-seating = لا مقاعد مرقمة: قف أو اجلس حيث تشاء.
area-free-seating-price = لا مقاعد مرقمة: قف أو اجلس حيث تشاء. { $price } لكل مكان.
area-how-many = العدد
area-left = { $count ->
    [zero] لم يبق مكان
    [one] بقي مكان واحد
    [two] بقي مكانان
    [few] بقيت { $count } أماكن
    [many] بقي { $count } مكانًا
   *[other] بقي { $count } مكان
}
area-none-left = لا شيء متاح في هذه اللحظة
