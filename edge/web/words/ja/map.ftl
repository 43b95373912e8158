# The words of the seat map, of a seat's card, and of what is offered on the map.

map-loading = 座席図を読み込み中…
map-label = { $venue }の座席図。矢印キーで移動、Enterで選択、プラスとマイナスで拡大・縮小、Escapeで戻ります。一覧にも同じ内容があります。
map-zoom = 拡大・縮小
map-zoom-in = 拡大
map-zoom-out = 縮小
map-whole = 会場全体を表示
map-filter = 価格と席の種類
map-accessible = バリアフリー
map-from-price = { $price }から
map-sold-out = 完売
map-seats-left = { $count ->
   *[other] 残り{ $count }席
}
map-places-left = { $count ->
   *[other] 残り{ $count }
}
map-none-left = 残りなし
map-hot = { $place }は今よく売れています。

## A seat's card

card-label = 座席
card-add = この席を追加
card-remove = この席を外す
card-state-free = 空席
card-state-mine = お客様用に確保
card-state-gone = 確保済み
card-state-chosen = 選択中
card-each = 各{ $price }
card-fees = 手数料込み
card-wheelchair = 車椅子スペース
card-companion = 車椅子スペース横の同伴者席
card-restricted = 見えにくい席
card-clear = 視界良好
card-away = { $focus }まで約{ $metres } m

## What is offered

offer-seats = { $row }列 { $numbers }番
offer-others = 他の席
offer-others-label = { $seats }の代わりに他の席を探す
offer-standing = 立ち見でもよい
offer-no-others = 同じような他の席はありません。この席はそのまま確保されています。
offer-no-others-lost = 同じような他の席はなく、その間に他の方がこの席を確保しました。
offer-hold = 代わりに{ $seats }を確保（{ $price }）
