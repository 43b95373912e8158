# كلمات مخطط المقاعد وبطاقة المقعد وما يُعرض على المخطط.

map-loading = يجري تحميل المخطط…
map-label = مخطط مقاعد { $venue }. مفاتيح الأسهم للتحرك، وEnter للاختيار، وزائد وناقص للتكبير والتصغير، وEscape للرجوع. تحتوي القائمة على الشيء نفسه.
map-zoom = التكبير
map-zoom-in = تكبير
map-zoom-out = تصغير
map-whole = عرض المكان كله
map-filter = الأسعار وأنواع الأماكن
map-accessible = لذوي الإعاقة
map-from-price = من { $price }
map-sold-out = نفدت
map-seats-left = { $count ->
    [one] بقي مقعد واحد ({ $count })
    [two] بقي مقعدان ({ $count })
    [few] بقيت { $count } مقاعد
   *[other] بقي { $count } مقعدًا
}
map-places-left = { $count ->
    [one] بقي مكان واحد ({ $count })
    [two] بقي مكانان ({ $count })
    [few] بقيت { $count } أماكن
   *[other] بقي { $count } مكانًا
}
map-none-left = لم يبقَ شيء
map-hot = تُباع الأماكن في { $place } بسرعة الآن.

## A seat's card

card-label = مقعد
card-add = اختيار هذا المقعد
card-remove = إلغاء اختيار هذا المقعد
card-state-free = متاح
card-state-mine = محجوز لك مؤقتًا
card-state-gone = مأخوذ
card-state-chosen = مختار
card-each = { $price } لكل مكان
card-fees = شامل جميع الرسوم
card-wheelchair = مكان لكرسي متحرك
card-companion = مقعد مرافق بجانب مكان لكرسي متحرك
card-restricted = رؤية محدودة
card-clear = رؤية واضحة
card-away = على بعد نحو { $metres } م: { $focus }

## What is offered

offer-seats = الصف { $row }، المقاعد { $numbers }
offer-others = مقاعد أخرى
offer-others-label = عرض مقاعد أخرى بدلًا من { $seats }
offer-standing = أماكن الوقوف مناسبة أيضًا
offer-no-others = لا توجد مقاعد أخرى مثلها. تبقى هذه المقاعد لك.
offer-no-others-lost = لا توجد مقاعد أخرى مثلها، وقد سبقك شخص آخر إلى هذه المقاعد.
offer-hold = احجز { $seats } بدلًا منها، { $price }
