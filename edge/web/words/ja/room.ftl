# The words of the waiting room and of the sale, and small parts that later pages share.

## How long it takes

soon-moment = まもなく
soon-seconds = { $count ->
   *[other] { $count }秒後
}
soon-minutes = { $count ->
   *[other] 約{ $count }分後
}
estimate-under-seconds = { $count ->
   *[other] { $count }秒未満
}
estimate-under-minutes = { $count ->
   *[other] { $count }分未満
}
estimate-under-hours = { $count ->
   *[other] { $count }時間未満
}
estimate-about-seconds = { $count ->
   *[other] 約{ $from }～{ $count }秒
}
estimate-about-minutes = { $count ->
   *[other] 約{ $from }～{ $count }分
}
estimate-about-hours = { $count ->
   *[other] 約{ $from }～{ $count }時間
}
estimate-over-seconds = { $count ->
   *[other] { $count }秒以上
}
estimate-over-minutes = { $count ->
   *[other] { $count }分以上
}
estimate-over-hours = { $count ->
   *[other] { $count }時間以上
}
estimate-rarely-seconds = { $count ->
   *[other] { $about }、{ $count }秒を超えることはまれです
}
estimate-rarely-minutes = { $count ->
   *[other] { $about }、{ $count }分を超えることはまれです
}
estimate-rarely-hours = { $count ->
   *[other] { $about }、{ $count }時間を超えることはまれです
}

## News of the sale, for those who wait

news-paused = 主催者が販売を一時停止しています。順番はそのままです。
news-none-free = 現在、空席はありません。他の方の仮押さえから座席が戻ることがあります。完売するまで順番はそのままです。
news-few-left = { $count ->
   *[other] 残りわずか：{ $count }席です。入場前になくなる場合があります。
}

## Being called, and the turn to pay

call-me = 順番が来たら知らせる
call-sound = 音でお知らせします
call-sound-and-note = 音と通知でお知らせします
turn-busy = 現在、多くの方がお支払い中です。
turn-away = 決済サービスが現在応答していません。
turn-opens = { $why } 座席は確保されています。お支払いは{ $clock }後に始まります。
turn-kept = { $why } 座席は確保されています。
turn-goes-on = このページは自動的に進みます。開いたままにしてください。

## What goes wrong on later pages, and in signing in, by the problem's code

problem-sign-in-foreign = このサインインはこのウィンドウで始めたものではないか、すでに完了しています。安全のため無効です。ここでサインインしてください。
problem-sign-in-declined = サインインは中止されました。閲覧はそのまま続けられます。チケットの購入にはご本人の確認が必要です。
problem-sign-in-failed = サインインのサービスが処理を完了できませんでした。何も失われていません。もう一度お試しください。
problem-sign-in-refused = サインインに時間がかかりすぎたか、すでに使用済みです。もう一度サインインしてください。
problem-sign-in-unavailable = 現在サインインできません。何も失われていません。少し待ってから、もう一度お試しください。
problem-nothing-kept = お使いのブラウザーはこのサイトのデータを保存しないため、サインイン後にご本人だと分かりません。このサイトのCookieとデータを許可するか、別のウィンドウまたはブラウザーで開いてください。
problem-forbidden = これは他の方のものです。
problem-not-eligible = この販売は、お使いのアカウントは対象外です。
problem-not-eligible-verified-phone = { account-no-phone }
problem-not-eligible-account-days = お使いのアカウントは作成から間もないため、この販売では購入できません。
problem-not-eligible-members = { account-no-member }
problem-not-eligible-members-until = { account-no-member-yet }
problem-not-admitted = まだ入場できません。
problem-not-admitted-settling = { problem-dependency-unavailable-settling }
problem-locked-out = このアカウントから通常と異なるリクエストが多く届いたため、しばらく休止が必要です。
problem-malformed-input-email = このアドレスにはメールを送信できません。ご確認ください。
problem-malformed-input-postal_address = 主催者が必要とする情報が変更されました。お名前とご住所をご確認ください。
problem-malformed-input-postal_address-part = 入力がないか、長すぎるか、印刷できない文字が含まれています。
problem-malformed-input-terms = 先に販売者の利用規約に同意してください。
problem-seats-taken = 他の方が先に選びました。座席の一つが確保済みになりました。
problem-single-seat = 1席だけ残ってしまいます。1席ずらしてください。
problem-no-seats-found = 条件に合う座席がありません。席数を減らすか、別の価格やブロックをお試しください。
problem-possible-together = 並んで空いている席：{ $what }席。
problem-possible-whole = 空き：{ $what }名用のテーブルまたはボックス。
problem-possible-section = ブロック{ $what }に空席があります。
problem-possible-area = { $what }に番号のない席があります。
problem-wrong-state = この操作はもうできません。
problem-wrong-state-not-sold = この注文は支払われていないため、請求書はありません。
problem-wrong-state-no-seller = このイベントでは、主催者は請求書を発行していません。
problem-wrong-state-not-yet = 請求書は、お支払い期限が過ぎてから数分以内に作成されます。その後、もう一度お試しください。
problem-wrong-state-no-mail = ここではメールを送信していないため、メールでチケットを探すことはできません。購入時と同じようにサインインするか、窓口にお問い合わせください。
problem-wrong-state-being-made = チケットを作成しています。少し待ってから、もう一度お試しください。
problem-wrong-state-event-cancelled = 主催者がこのイベントを中止しました。お支払いはすべて購入者に自動的に返金されます。
problem-wrong-state-void = 無効なチケットは取り消しも譲渡もできません。主催者にお問い合わせください。
problem-wrong-state-never = 主催者の設定により、これらのチケットではご利用いただけません。
problem-wrong-state-too-late = 受付期間は終了しました。
problem-wrong-state-withdrawn = この申し出は取り下げられました。チケットを譲る方は、新しいリンクを送ることができます。
problem-wrong-state-own = これはご自身のチケットです。お渡しになる方にリンクを送ってください。
problem-wrong-state-accepted = このチケットはすでに受け取られており、現在お客様のものではありません。
problem-wrong-state-too-often = このチケットは譲渡できる回数の上限に達しました。お客様のお手元に残ります。
problem-wrong-state-passed-on = チケットが譲渡されたため、その席はもうお客様のものではありません。
problem-version-conflict = 途中で変更がありました。もう一度お試しください。
problem-hold-expired = 座席の仮押さえの期限が切れ、座席は戻されました。
problem-session-expired = 座席を選ぶ時間が終わり、座席は戻されました。
problem-sale-over = 販売は終了しました。
problem-payment-waits = 現在、多くの方がお支払い中です。座席は確保されています。少し待ってから、もう一度お試しください。
problem-payment-waits-busy = { problem-payment-waits }
problem-payment-waits-away = { turn-away } 座席は確保されています。少し待ってから、もう一度お試しください。
problem-payment-refused = この注文はもうお支払いできません。
problem-payment-refused-already-refunded = このお支払いはすでに返金されています。
problem-payment-refused-disputed = カード会社または銀行がこのお支払いを取り消しているため、ここでは返金できません。
problem-payment-refused-failed = 返金を送りましたが、銀行から戻されました。窓口にお問い合わせください。
problem-payment-refused-invalid = 決済サービスで受け付けられませんでした。窓口にお問い合わせください。
problem-payment-refused-too-late = この注文のお支払い期限は過ぎました。
problem-payment-refused-too-old = お支払いから時間がたっているため、カードへ返金できません。窓口にお問い合わせください。
problem-payment-refused-unknown-payment = 決済サービスにこのお支払いの記録がありません。窓口にお問い合わせください。
problem-idempotency-mismatch = このリクエストはすでに別の内容で送信されています。ページを再読み込みしてください。
problem-limit-exceeded = お一人で持てる数を超えています。
problem-limit-exceeded-address = 一つの住所で持てる席数を超えています。
problem-limit-is = { $text } 上限は{ $limit }です。
problem-until = { $text } 座席は遅くとも{ $time }まで確保されています。
problem-dependency-unavailable-settling = この座席のお支払いをまだ確認しています。
problem-too-early = 少し早すぎました。ページが自動的に再試行します。
problem-link-ended = このリンクでは何も開けません。リンクの有効期間は24時間です。新しいリンクをお求めください。
problem-waiting-token-ended = 新しい場所をお渡しする必要がありました。抽選の結果は同じです。

## Small parts

part-copied = コピーしました
part-copy-yourself = 手動でコピーしてください
part-close-notice = このお知らせを閉じる

## A page that needs a sign-in

sign-in-again = もう一度サインイン
sign-in-failed = サインインできませんでした
sign-in-heading = サインインしてください
sign-in-heading-again = もう一度サインインしてください
sign-in-why-wait = 待機室の場所はお一人様につき一つです。そのため、ご本人の確認が必要です。
sign-in-why-theirs = 注文とチケットはご本人にだけ表示します。そのため、ご本人の確認が必要です。
sign-in-why-accept = チケットの譲渡が届いています。サインインすると内容を確認して受け取れます。受け取ったチケットは「注文一覧」に入ります。料金はかかりません。
sign-in-why-ended = サインインの有効期限が切れました。これだけで失われるものはありません。待機室の場所と仮押さえした座席は、それぞれの期限まで残ります。同じアカウントでサインインしてください。
sign-in-lost-tickets = チケットをなくされましたか。{ $link }。
sign-in-lost-tickets-link = メールで探す

## Whom a sale is open to

account-members-until = { $date }まで、会員の方（{ $names }）だけが購入できます。その後はどなたでも購入できます。
account-members = 会員の方（{ $names }）だけが購入できます。
account-phone = 確認済みの電話番号があるアカウントが必要です。
account-days = { $count ->
   *[other] 作成から{ $count }日以上たったアカウントが必要です。
}
account-address-limit = { $count ->
   *[other] 一つの住所につき、すべての注文を合わせて{ $count }席までです。
}
account-card-limit = { $count ->
   *[other] 一枚のカードにつき、すべての注文を合わせて{ $count }席までです。
}
account-no-phone = お使いのアカウントには確認済みの電話番号がないため、このイベントのチケットは購入できません。サインイン先で番号を確認してから、ここでサインアウトし、もう一度サインインしてください。
account-too-young = { $count ->
   *[other] このイベントには、作成から{ $count }日以上たったアカウントが必要です。お使いのアカウントは{ $since }に作成されたため、購入できません。
}
account-age-unknown = { $count ->
   *[other] このイベントには、作成から{ $count }日以上たったアカウントが必要ですが、サインイン情報からは作成日が分かりません。そのため、このイベントのチケットは購入できません。
}
account-no-member-yet = お使いのアカウントは会員ではありません。{ $date }にもう一度お越しください。早く来ても有利にはなりません。
account-no-member = お使いのアカウントは会員ではないため、このイベントのチケットは購入できません。

## The waiting room

wait-title = 待機室：{ $event }
wait-heading-joining = 場所を取っています…
wait-heading-elsewhere = 別のウィンドウが場所を保持しています
wait-heading-solving = ブラウザーを確認しています…
wait-heading-waiting = 待機室にいます
wait-heading-prequeue = お早めのご到着です。場所は確保されています
wait-heading-asking = 入場できるか確認しています…
wait-heading-paused = 販売を一時停止しています
wait-heading-full = まもなく入場できます
wait-heading-settling = 前回の注文を処理しています
wait-heading-locked = まだ入場できません
wait-heading-busy = サービスが大変混み合っています
wait-heading-offline = 接続が切れました
wait-heading-strange = このネットワークの何かが、私たちの代わりに応答しています
wait-heading-stripped = このネットワークの何かが、送信内容の一部を取り除いています
wait-text-joining = 少々お待ちください。
wait-text-elsewhere = そちらで続けてください。そのウィンドウを閉じると、こちらが自動的に引き継ぎます。
wait-text-solving = 大量のロボットを防ぐため、お使いの端末が小さな計算をしています。
wait-text-waiting = 順番は公平に抽選します。長く待つほど確率が上がります。自動的に入場できます。
wait-text-prequeue = 販売開始時にここにいる方は全員同じ確率です。先に来ても有利にはなりません。
wait-text-asking = 少々お待ちください。
wait-text-paused = 主催者が列を一時停止しています。順番はそのままで、自動的に再開します。
wait-text-full = 現在、中の場所はすべて使用中です。抽選の順に空くため、早く確認しても有利にはなりません。
wait-text-settling = 順番はそのままで、ページが自動的に再試行します。
wait-text-locked = 順番はそのままで、ページが自動的に再試行します。
wait-text-busy = 場所は確保されています。ページが自動的に再試行します。
wait-text-offline = 場所はこの端末で確保されています。接続が戻ると、ページは続きから進みます。
wait-text-strange = 再試行を続けます。場所は確保されています。ネットワークがサインインを求める場合はそのページを開いてください。そうでない場合は、携帯電話の回線など別のネットワークをご利用ください。
wait-text-stripped = その部分がないと場所を確認できません。再試行を続けます。場所は確保されています。多くの場合、携帯電話の回線など別のネットワークで解決します。
wait-says-estimate = { $heading }：{ $estimate }
wait-lapsed = このページが停止している間に場所の期限が切れたため、新しい場所になりました。待ち時間は今から数えます。
wait-noticed = このアカウントから通常と異なるリクエストがあったため、ブラウザーの確認に時間がかかります。
wait-hint-open = このページを開いたままにしてください。再読み込みや、数分間の画面ロックをしても順番はそのままです。
wait-hint-windows = 再読み込み、ウィンドウの追加、速い回線で有利になることはありません。
wait-leave = 待機室を出る
wait-really-leave = 本当に出ますか。場所は失われます
wait-starts-in = 販売開始まで
wait-fact-estimate = 今からの待ち時間
wait-fact-unknown = まだ不明
wait-fact-starts = 販売開始
wait-fact-since = 待ち時間
wait-fact-next = 次の確認
wait-fact-now = 今
wait-turn = 順番が来ました
wait-you-are-in = 入場しました（{ $until }まで）。座席を選んでください。
in-title = 入場しました: { $event }
in-heading = 入場しました
in-since = { $from }に入場しました。選ぶ時間が進んでいます。{ $until }に終わります。
in-until = 選ぶ時間が進んでいます。{ $until }に終わります。
in-choose = 座席を選ぶ
in-steps = すること
in-step-choose = 座席図でブロックを選ぶか、おすすめの席を探してください。一度に{ $limit }席までです。
in-step-hold = 座席を確保してください。選んだだけの席は、他の方も取れます。
in-step-pay = 時間が終わる前に購入手続きへ進んでください。その後の支払い時間: { $time }。
in-ends = 時間が終わると、確保した座席は他の方に戻ります。
wait-room-full = 待機室は満員です
wait-room-full-text = 新しい方は入れません。すでにお待ちの方は引き続き入場できます。今回は間に合わず、申し訳ありません。
wait-sale-over = 販売は終了しました
wait-sold-out = 完売
wait-sold-out-text = すべての座席が決まりました。今回はご用意できず、申し訳ありません。抽選は公平に行われました。
wait-closed-text = 販売は終了しました。お待ちいただきありがとうございました。
wait-break-open = ウィンドウは一つだけ使い、再読み込みはしないでください。ページが自動的に確認します。
wait-lock-ends = 終了まで
wait-lock-person = 主催者の担当者がこのように判断しました。理由：{ $reason }
wait-appeal-text = 担当者に伝えたいこと（任意）
wait-appeal-ask = 担当者に確認を依頼する
wait-appealed = 担当者に確認を依頼しました。入場が認められると、このページはすぐに先へ進みます。認められない場合は、時間が過ぎると先へ進みます。ほかに必要な操作はありません。
wait-used-up = もう入場できません
wait-used-up-text = このイベントで使えるセッションをすべて使用されたため、お待ちいただいても入場できません。
wait-not-eligible = この販売は、お使いのアカウントは対象外です
wait-trying-again = 自動的に再試行します。
room-as-of = { $time }時点の空席。
ready-title = ご準備ください
ready-sign-in = ログイン済みです。これ以上の操作は必要ありません。
ready-pay = 支払い用のカードまたはウォレットと、銀行の確認に使うアプリ。
ready-address = 郵送先の住所。購入手続きで入力します。
ready-wishes = 希望の価格と、ほかの候補を2つ。
ready-limit = 1アカウントの席数: { $limit }席まで。
ready-times = 選ぶ時間: { $choose }。その後の支払い時間: { $pay }。

## The end of a session

session-time-over = 座席を選ぶ時間が終わりました。他の方が選べるよう、座席は戻されました。
session-none = 現在、開いているセッションはありません。時間が終わった場合、座席は戻されています。
session-ended = このセッションは終了しました。
session-over = セッションは終了しました
session-ordered = 注文済みです
session-ordered-text = このイベントの注文は保存されています。現在、開いているセッションはありません。

## The sale

sale-title = 座席を選ぶ：{ $event }
sale-time = 残り時間
sale-time-left = 残り { $time }
sale-one-minute = 残り1分です。
sale-to-venue = 会場全体に戻る
sale-show-list = 一覧で表示
sale-show-map = 座席図を表示
sale-seat-taken = { $seat }は確保済みです。
sale-seat-mine = { $seat }はすでにお客様用に確保しています。
sale-seat-chosen = { $seat }を選択しました
sale-seat-unchosen = { $seat }の選択を解除しました
sale-limit = お一人で確保できるのは{ $limit }席までです。別の席を選ぶには、1席戻してください。
sale-limit-held = { $count ->
   *[other] お一人で確保できるのは{ $limit }席までで、すでに{ $count }席を確保しています。
}
sale-held = お客様用に確保：{ $seats }。
sale-given-back = 戻しました。
sale-faster = { $count ->
   *[other] 他の方が先でした：{ $seats }は確保済みです。
}
sale-faster-others = 残りの席は選択されたままで、まだ確保していません。
sale-faster-choose = 別の席を選んでください。
sale-being-taken = 他の方が{ $seats }を確保しようとしています。確保されなければ、数秒後に空席に戻ります。
sale-just-taken = 他の方が確保しました：{ $seats }。
sale-outdated = 座席図は現在最新ではありません。確保した座席は守られています。
sale-seats = { $count ->
   *[other] { $count }席
}

## Beside the map

panel-title = お客様の座席
panel-key = 座席図の小さな灰色の点は確保済みか価格の条件で非表示の席、縞模様は残りわずか、✓はお客様の席です。
panel-to-map = 座席図に戻る
panel-to-seats = お客様の座席とおすすめ
panel-best = おすすめの空席
panel-any-price = すべての価格
panel-find = 座席を探して確保
panel-seats = 席数
panel-price = 価格
panel-where = 場所
panel-anywhere = どこでも
panel-wheelchair = 車椅子スペース付き
panel-holding = 確保しています…
panel-hold = { $count ->
   *[other] { $count }席を確保
}
panel-chosen-title = { $count ->
   *[other] 選択中：{ $count }席
}
panel-chosen = { $count ->
   *[other] { $count }席を選択中
}
panel-held = { $count ->
   *[other] { $count }席を確保中
}
panel-not-held = まだ確保していません。
panel-held-title = 確保した座席
panel-total = 合計
panel-fees = 合計には手数料がすべて含まれています。
panel-go-to-checkout = 購入手続きへ
panel-checkout = 購入手続き
panel-nothing = まだ確保していません
panel-empty = まだ確保していません。座席図でブロックを選ぶか、おすすめの席を探してください。{ $limit }席まで確保できます。
panel-not-this = { $seat }をやめる
panel-give-back = 戻す
panel-give-these-back = これらを戻す

## Seats as a list

list-row = { $row }列
list-free = { $count ->
   *[other] 空席{ $count }
}
list-none-free = 空席なし
list-state-mine = お客様用に確保
list-state-gone = 確保済み
list-kind-accessible = バリアフリー
list-kind-companion = 同伴者席
list-table-for = { $count }名用テーブル
list-box-for = { $count }名用ボックス

## An area without numbered seats

area-hold = 場所を確保
area-free-seating = 座席番号はありません。お好きな場所をご利用ください。
area-free-seating-price = 座席番号はありません。お好きな場所をご利用ください。各{ $price }。
area-how-many = 人数
area-left = { $count ->
   *[other] 残り{ $count }
}
area-none-left = 現在、空きはありません
