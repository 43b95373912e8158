# The words of checkout, orders, tickets, and what is done with them.

## Checkout

checkout-title = 購入手続き：{ $event }
checkout-heading = 購入手続き
checkout-fee-order = 注文手数料
checkout-fee-ticket = チケット手数料 × { $count }
checkout-pay = { $sum }を支払う
checkout-moment = 少々お待ちください…
checkout-email = チケットを受け取るメールアドレス
checkout-provider = お支払いは決済サービスのページで行います。カード情報が私たちに届くことはありません。
checkout-accept = { $terms }に同意します
checkout-terms = 販売者の利用規約
checkout-terms-new = 販売者の利用規約が新しくなりました。内容を確認し、同意してください。
checkout-change-seats = ← 座席を変更

## The buyer's address

postal-heading = お名前とご住所
postal-name = お名前
postal-street = 番地・建物名
postal-postcode = 郵便番号（ある場合）
postal-city = 市区町村
postal-country = 国

## What has become of an order

order-title-pending = お支払いを待っています
order-text-pending = 決済サービスから連絡が届き次第、ここにチケットが表示されます。
order-title-paid = お支払い済みです。チケットを作成しています
order-text-paid = 数秒かかります。
order-title-ticketed = お客様のチケット
order-title-failed = 座席を戻しました
order-text-failed = 料金は発生していません。
order-title-expired = お支払いの期限が過ぎました
order-text-expired = 料金は発生しておらず、座席は戻されました。
order-title-refund-due = 返金いたします
order-text-refund-due = 座席がなくなった後にお支払いが届いたため、確保できませんでした。
order-title-refunded = 返金しました
order-title-cancelled = 注文は取り消されました
order-text-cancelled = チケットは無効になりました。
order-title-disputed = チケットは保留中です
order-text-disputed = 銀行がこのお支払いの返還を求めたため、チケットは現在無効です。間違いの場合は銀行にご連絡ください。取り下げられると再び有効になります。
order-title-charged-back = この注文は終了しました
order-text-charged-back = 銀行がお支払いを取り戻したため、チケットは無効です。これ以上の請求はありません。
order-title-declined = カードが拒否されました
order-text-declined = 銀行がカードを拒否しました。料金は発生していません。座席は{ $time }まで確保されています。
order-title-card-limit = このカードは上限に達しました
order-text-card-limit = このカードでは、購入できる上限まで購入済みです。料金は発生していません。座席は{ $time }まで確保されています。
order-title-all-passed-on = チケットを譲渡しました
order-text-all-passed-on = チケットは、それぞれ新しいコードで他の方が持っています。
order-title-event-cancelled = イベントは中止になりました
order-text-event-cancelled = 主催者がこのイベントを中止しました。チケットは無効になり、お支払いはすべて返金されます。
order-title-settling = お支払いを確認しています
order-text-settling = お支払いの期限が過ぎましたが、決済サービスからまだ連絡がありません。お支払い済みの場合は、ここにチケットが表示されます。そうでない場合、座席は遅くとも{ $time }に戻されます。
order-text-settling-late = お支払いの期限が過ぎましたが、決済サービスからまだ連絡がありません。お支払い済みの場合は、ここにチケットが表示されるか、座席が他の方に渡っていれば返金されます。
order-title-void = チケットは無効です
order-text-void = 主催者が無効にしました。使用できません。主催者にお問い合わせください。
order-text-void-these = 次のチケットは無効です：{ $labels }。使用できません。主催者にお問い合わせください。
order-word-pending = 未払い
order-word-paid = 支払い済み
order-word-ticketed = チケット
order-word-failed = 返却済み
order-word-expired = 期限切れ
order-word-refund-due = 返金
order-word-refunded = 返金済み
order-word-cancelled = 取消済み
order-word-disputed = 保留中
order-word-charged-back = 終了
order-word-event-cancelled = イベント中止
order-word-none-left = チケットなし
order-refunding = 返金の手続き中です。銀行の処理に数日かかります。それまでに届かない場合は、窓口にお問い合わせください。
order-refund-owed = まもなく{ $sum }を返金します。銀行の処理に数日かかります。それまでに届かない場合は、窓口にお問い合わせください。
order-refund-sent = { $sum }を返金しています。銀行の処理に数日かかります。それまでに届かない場合は、窓口にお問い合わせください。
order-refund-arrived = { $sum }を返金しました。銀行の明細に表示されるまで数日かかる場合があります。
order-refund-attention = { $sum }の返金が銀行に届きませんでした。主催者に連絡済みで、対応します。今は何もする必要はありません。
order-refund-handled = { $sum }の返金は当初銀行に届きませんでしたが、主催者が対応しました。届いていない場合は、窓口にお問い合わせください。
order-title-refund-attention = 返金に主催者の対応が必要です
order-title-refund-handled = 返金は対応済みです
order-paid-twice = この注文は二重に支払われました。{ $text }

## An order's page

order-heading = 注文
order-payment = 支払い
order-copy = コピー
order-vat = 内 消費税{ $rate } %、{ $sum }
order-postal = お名前とご住所：{ $address }
order-mails-to = メールの送信先：{ $email }
order-places = { $count ->
   *[other] { $event }、{ $count }席
}
order-calendar = カレンダーに追加
order-invoice = 請求書（PDF）
order-to-payment = お支払いページへ
order-unpaid = まだ支払われていません。カードが拒否された場合や、支払わずに戻った場合、料金は発生していません。もう一度お試しいただけます。
order-held-for = 座席はあと{ $clock }確保されています。
order-change-address = 宛先を変更
order-tickets-go-to = チケットの送信先：{ $email }
order-address-changed = 宛先を変更しました。
order-give-back = 座席を戻す
order-give-back-really = 本当に座席を戻しますか
order-too-late = この座席のお支払い期限は過ぎました。お支払い済みの場合は、このページに表示されます。
order-paid-meanwhile = お支払いが完了しました。座席はお客様のものです。
order-no-news = サインインの有効期限が切れたため、注文の最新情報は表示されません。{ $again }
order-sent-to = { $email }に送信しました。届くまで数分かかる場合があります。
order-send-there = そこへチケットを送る
order-send-again = 変更または再送
order-sent-now = { $email }にチケットを送ります。
order-sent-often = 本日はすでに何度もチケットを送信しました。明日もう一度お試しください。

## A place, as its label says it; the words are those of mails and tickets

place-seat = { $section } · { $row }列 · { $number }番
place-table = { $section } · { $row } · テーブル { $number }
place-box = { $section } · { $row } · ボックス { $number }

## All orders

orders-count = { $count ->
   *[other] チケット{ $count }枚 · { $sum }
}
orders-goes-back = { $text } · { $sum }返金予定
orders-sent-back = { $text } · { $sum }返金済み
orders-none = このサインインでの注文はありません。注文すると、まもなくここに表示されます。
orders-older = 以前の注文
orders-older-failed = 以前の注文を読み込めませんでした。{ $why }
orders-passed-on = 譲り受けたもの
orders-bought = 購入したもの
orders-ticket = チケット
orders-word-passed-on = 譲渡済み
orders-word-void = 無効

## Tickets

ticket-show = { $count ->
   *[other] 入口でこのコードを画面または紙で提示してください。
}
ticket-all-pdf = チケット（PDF）
ticket-number = チケット { $number } / { $total }
ticket-loading = チケットを読み込み中…
ticket-save = 画像を保存
ticket-picture = { $name }（QRコード付き）
ticket-offered = { $date }まで譲渡の申し出中です。受け取られるまではお客様のものです。
ticket-not-loaded = { $name }を読み込めませんでした。
ticket-load-again = もう一度読み込む
ticket-gone = 譲渡済み：{ $label }
ticket-gone-text = このチケットは他の方が持っています。こちらのコードは無効です。
ticket-apple = Apple Wallet
ticket-google = Google Wallet

## Passing a ticket on

transfer-heading = チケットを他の方に譲る
transfer-ended = チケットの譲渡は{ $date }まででした。
transfer-how = { $date }まで譲渡できます。最長48時間有効なリンクをお渡しします。リンクを開いてサインインした方が新しいコードのチケットを受け取り、お客様のチケットは無効になります。それまではお客様のものです。
transfer-money = 譲渡したチケットは取り消せません。イベントが中止になった場合、代金は購入者に返金されます。
transfer-pass = 譲る
transfer-show-link = リンクを表示
transfer-withdraw = 取り下げる
transfer-withdraw-of = 取り下げる：{ $label }
transfer-offered-until = { $date }まで申し出中
transfer-here = リンクはこちらです。
transfer-withdrawn = 申し出を取り下げました。
transfer-link = 譲渡のリンク
transfer-copy = リンクをコピー
transfer-good-until = { $date }まで、お一人様に有効です。他の方には送らないでください。
transfer-of = { $what }：{ $label }

## Taking a ticket over

accept-title = チケットが届いています
accept-ticket = チケット
accept-take = このチケットを受け取る
accept-taken = チケットを受け取りました。
accept-text = このチケットの譲渡の申し出が届いています。受け取ると、お客様だけの新しいコードになります。このイベントで持てる席数に数えられます。
accept-until = この申し出は{ $date }まで有効です。
accept-none = このリンクのチケットはありません
accept-own = これはご自身のチケットのリンクです
accept-not-whole = リンクが完全ではありません。送信された方にご確認ください。
accept-too-late = この申し出の期限は過ぎました。リンクを送信された方にご確認ください。

## Tickets that were passed on

held-title = { $count ->
   *[other] お客様のチケット
}
held-cancelled = 主催者がこのイベントを中止したため、チケットは無効です。代金は購入者に返金されます。
held-not-now = チケットは現在無効です。譲ってくださった方にご確認ください。
held-void = 無効：{ $labels }。主催者にお問い合わせください。
held-passed-on = チケットを譲渡しました。

## Giving back

cancel-given-back = 返却：{ $label }
cancel-fee = 、手数料{ $sum }
cancel-ended = この注文の取り消しは{ $date }まででした。
cancel-how = { $date }まで取り消せます。チケットはすぐに無効になり、座席は再び販売されます。
cancel-heading-place = この注文の席を取り消す
cancel-heading-either = この注文または一部の席を取り消す
cancel-heading-order = この注文を取り消す
cancel-fee-kept = 手数料{ $sum }がかかります
cancel-all-left = { $count ->
   *[other] 残りすべて、チケット{ $count }枚
}
cancel-button = 取り消す（{ $sum }返金）
cancel-really = 本当に取り消しますか。{ $sum }を返金します
cancel-really-fee = 本当に取り消しますか。{ $sum }を返金します。手数料{ $fee }がかかります
cancel-done = { $what }：取り消しました。
cancel-of = { $button }：{ $what }
cancel-place = { $count ->
   *[other] { $label }（{ $count }枚）
}

## Tickets that are lost

find-title = チケットを探す
find-how = 注文時のメールアドレスを入力してください。チケットへのリンクを送ります。
find-email = 注文時のメールアドレス
find-send = リンクを送る
find-no-sign-in = サインインは不要です。以前と同じようにサインインできる場合は、{ $orders }ですべてご覧いただけます。
find-sent = メールをご確認ください
find-sent-to = { $email }で購入があった場合、メールをお送りしました。
find-link = { $hours ->
   *[other] メールのリンクから注文とチケットをご覧いただけます。有効期間は{ $hours }時間です。数分たっても届かない場合は、迷惑メールを確認し、他のアドレスもお試しください。
}
find-most = { $hours ->
   *[other] 一つのアドレスに送るメールは{ $hours }時間に{ $mails }通までです。
}
find-other = 別のアドレスを試す

## What a mailed link opens

found-title = 注文とチケット
found-bought = このメールアドレスで購入されたものです。リンクは{ $date }まで有効です。
found-nothing = 表示するものはもうありません。
found-older = 以前の注文があります。購入時と同じようにサインインしてください。
found-show = { $count ->
   *[other] チケット{ $count }枚を表示
}
found-passed = 譲渡済み：{ $places }。
found-returned = 返却済み：{ $places }。
found-ordered = 注文日 { $date }、注文番号 { $order }
found-ended = このリンクでは何も開けません
found-ended-text = メールのリンクの有効期間は24時間です。期限切れか、リンクが途中までしかコピーされていません。
found-ask-new = 新しいリンクを求める
