# The words of the first pages in Arabic. Numbers have six forms; words/en/first.ftl says what stands where.

## Every page

page-skip = انتقل إلى المحتوى
page-offline = أنت غير متصل بالإنترنت. لم يضع شيء: ستتابع هذه الصفحة عملها عند عودة الاتصال.
page-language = اللغة
page-loading = جارٍ التحميل…
page-loading-title = جارٍ التحميل
page-my-orders = طلباتي
page-find-tickets = العثور على تذاكري
page-sign-in = تسجيل الدخول
page-sign-out = تسجيل الخروج
page-all-events = كل الفعاليات
page-to-event = العودة إلى الفعالية
page-to-order = عرض طلبك
page-try-again = حاول مرة أخرى
page-failed = هناك ما يعيق عرض الصفحة
page-not-found = غير موجود

## What goes wrong on any page, by the problem's code

problem-offline = لا يمكن الوصول إلى الخدمة الآن. يُرجى التحقق من الاتصال والمحاولة مرة أخرى.
problem-strange-network = هناك ما يجيب بدلًا منا في هذه الشبكة. لم يضع شيء. إذا كانت هذه الشبكة تطلب تسجيل الدخول فافتح صفحتها، وإلا فجرّب شبكة أخرى، مثل شبكة هاتفك.
problem-stripped-request = هناك ما يحذف جزءًا مما ترسله هذه الصفحة في هذه الشبكة. لم يضع شيء. غالبًا ما تفيد شبكة أخرى، مثل شبكة هاتفك.
problem-malformed-input = لم نتمكن من فهم جزء من هذا الطلب. يُرجى التحقق مما أدخلته.
problem-not-found = هذا غير موجود، أو لم يعد موجودًا.
problem-too-many-requests = كان ذلك سريعًا بعض الشيء. يُرجى الانتظار لحظة ثم المحاولة مرة أخرى.
problem-dependency-unavailable = الخدمة مزدحمة جدًا. لم يضع شيء؛ يُرجى المحاولة بعد لحظات.
problem-unauthenticated = يُرجى تسجيل الدخول.
problem-sign-in-ended = انتهت صلاحية تسجيل دخولك. يُرجى تسجيل الدخول مرة أخرى.
problem-internal = حدث خطأ من جانبنا. لم يُخصم أي مبلغ. يُرجى المحاولة مرة أخرى.

## What a countdown counts

time-days = { $count ->
    [zero] يوم
    [one] يوم
    [two] يومان
    [few] أيام
    [many] يومًا
   *[other] يوم
}
time-hours = { $count ->
    [zero] ساعة
    [one] ساعة
    [two] ساعتان
    [few] ساعات
    [many] ساعة
   *[other] ساعة
}
time-minutes = { $count ->
    [zero] دقيقة
    [one] دقيقة
    [two] دقيقتان
    [few] دقائق
    [many] دقيقة
   *[other] دقيقة
}
time-seconds = { $count ->
    [zero] ثانية
    [one] ثانية
    [two] ثانيتان
    [few] ثوانٍ
    [many] ثانية
   *[other] ثانية
}

## Seats and places

seat-in-row = الصف { $row }، المقعد { $number }
seat-table = طاولة { $number }، السعة { $count }
seat-box = مقصورة { $number }، السعة { $count }
seat-section = القسم { $name }

## The list of events

events-title = الفعاليات
events-search = فنان أو فعالية أو مكان
events-city = المدينة
events-all-cities = كل المدن
events-kind = النوع
events-all-kinds = كل الأنواع
events-from = من
events-until = إلى
events-past = الفعاليات السابقة
events-count = { $count ->
    [zero] لا فعاليات
    [one] فعالية واحدة
    [two] فعاليتان
    [few] { $count } فعاليات
    [many] { $count } فعالية
   *[other] { $count } فعالية
}
events-none-match = لا توجد فعالية مطابقة. تُحدَّث هذه الصفحة تلقائيًا.
events-none = لا يوجد شيء معروض للبيع بعد. تُحدَّث هذه الصفحة تلقائيًا.
events-sale-from = البيع من { $date }
events-pages = الصفحات
events-page = الصفحة { $page } من { $pages }
events-back = السابق
events-next = التالي

## An event's page

event-state-on-sale = معروض للبيع
event-state-coming-up = قريبًا
event-state-paused = متوقف مؤقتًا
event-state-soldout = نفدت التذاكر
event-state-closed = انتهى
event-state-cancelled = أُلغيت
event-fees-included = تشمل الأسعار جميع رسوم التذكرة.
event-fee-added = تُضاف رسوم قدرها { $fee } إلى كل طلب.
event-sale-starts = يبدأ البيع: { $date }
event-prices = الأسعار
event-about = عن الفعالية
event-word = من المنظّم: { $text }
event-travel = كيفية الوصول
event-fullest = سيرغب معظم المشترين في { $places }. الأماكن الأخرى أسهل في الحصول عليها.
event-seat-map = مخطط المقاعد
event-sections-list = الأقسام في قائمة
event-ordered = لديك طلب لهذه الفعالية. { $link }
event-go-on = متابعة اختيار المقاعد
event-says-soldout = نفدت التذاكر. لكل مقعد تذكرة.
event-says-closed = انتهى البيع.
event-says-used-up = لقد استخدمت كل جلساتك لهذه الفعالية، وسيكون انتظارك دون جدوى. انظر «طلباتي».
event-says-draining = لم يعد بإمكان أحد الانضمام إلى غرفة الانتظار. سيُسمح بدخول من ينتظرون الآن.
event-says-paused = توقّف البيع مؤقتًا. مكانك محفوظ، وسيستأنف البيع تلقائيًا.
event-says-cancelled = ألغى المنظّم هذه الفعالية. توقف البيع نهائيًا، وستُعاد كل المدفوعات تلقائيًا.
event-preview = هذه معاينة. لا يرى المشترون هذه الفعالية بعد، ولا يمكن لأحد الانضمام إليها.
event-perhaps-soon = إذا نُشرت الفعالية قبل لحظات، فستعرضها هذه الصفحة تلقائيًا خلال نصف دقيقة.
event-too-early = تُفتح غرفة الانتظار قبل البيع بنصف ساعة. لا فائدة من الحضور مبكرًا: كل من يكون هناك عند بدء البيع له الفرصة نفسها.
event-enter = ادخل غرفة الانتظار
event-get-tickets = احصل على التذاكر
event-to-place = العودة إلى مكانك
event-before-start = كل من يكون هنا عند بدء البيع له الفرصة نفسها. لا حاجة إلى تحديث الصفحة.
event-after-start = تُوزَّع الأماكن بقرعة عادلة. تحديث الصفحة أو فتح نوافذ أخرى لا يغيّر شيئًا.
event-rules = كيف يجري البيع
event-no-map = لا يمكن عرض مخطط المقاعد الآن. يمكنك المتابعة بدونه.
event-map-failed = لا يمكن تحميل المخطط الآن. القائمة في الأسفل.

## The end of the sale

news-sale-ends = ينتهي البيع: { $date }. ولن يُسمح بدخول أحد بعد ذلك.
news-sale-ends-late = ينتهي البيع: { $date }. ولن يُسمح بدخول أحد بعد ذلك. قد يطول انتظارك أكثر من ذلك.

## Who sells

seller-questions = أسئلة؟ { $way }
seller-questions-either = أسئلة؟ { $mail } أو { $phone }
seller-sold-by = البائع: { $name }
seller-imprint = بيانات الناشر
seller-terms = الشروط
seller-privacy = الخصوصية
