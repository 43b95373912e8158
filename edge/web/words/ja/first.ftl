# The words of the first pages: the frame of every page, signing in, what goes wrong, the list of events, an event's
# page, and what other pages share with them. One line for each text; a text that depends on a number has its forms
# in lines of their own. Names of elements, such as { $link }, stand where the page puts them.

## Every page

page-skip = 本文へ
page-offline = オフラインです。何も失われていません。接続が戻ると、このページは続きから進みます。
page-language = 言語
page-loading = 読み込み中…
page-loading-title = 読み込み中
page-my-orders = 注文一覧
page-find-tickets = チケットを探す
page-sign-in = サインイン
page-sign-out = サインアウト
page-all-events = すべてのイベント
page-to-event = イベントに戻る
page-to-order = 注文を見る
page-try-again = もう一度試す
page-failed = 問題が発生しました
page-not-found = 見つかりません

## What goes wrong on any page, by the problem's code

problem-offline = 現在サービスに接続できません。接続を確認して、もう一度お試しください。
problem-strange-network = このネットワークの何かが、私たちの代わりに応答しています。何も失われていません。ネットワークがサインインを求める場合はそのページを開いてください。そうでない場合は、携帯電話の回線など別のネットワークをお試しください。
problem-stripped-request = このネットワークの何かが、このページの送信内容の一部を取り除いています。何も失われていません。多くの場合、携帯電話の回線など別のネットワークで解決します。
problem-malformed-input = リクエストの一部を認識できませんでした。入力内容を確認してください。
problem-not-found = 存在しないか、すでになくなりました。
problem-too-many-requests = 操作が少し速すぎます。少し待ってから、もう一度お試しください。
problem-dependency-unavailable = サービスが大変混み合っています。何も失われていません。少し待ってから、もう一度お試しください。
problem-unauthenticated = サインインしてください。
problem-sign-in-ended = サインインの有効期限が切れました。もう一度サインインしてください。
problem-internal = こちら側で問題が発生しました。料金は発生していません。もう一度お試しください。

## What a countdown counts

time-days = { $count ->
   *[other] 日
}
time-hours = { $count ->
   *[other] 時間
}
time-minutes = { $count ->
   *[other] 分
}
time-seconds = { $count ->
   *[other] 秒
}

## Seats and places

seat-in-row = { $row }列 { $number }番
seat-table = テーブル{ $number }（{ $count }名）
seat-box = ボックス{ $number }（{ $count }名）
seat-section = { $name }ブロック

## The list of events

events-title = イベント
events-search = アーティスト、イベント、会場
events-city = 都市
events-all-cities = すべての都市
events-kind = 種類
events-all-kinds = すべての種類
events-from = 開始日
events-until = 終了日
events-past = 過去のイベント
events-count = { $count ->
   *[other] { $count }件
}
events-none-match = 該当するイベントはありません。このページは自動的に再検索します。
events-none = 現在販売中のものはありません。このページは自動的に再検索します。
events-sale-from = 販売開始 { $date }
events-pages = ページ
events-page = { $pages }ページ中{ $page }ページ
events-back = 前へ
events-next = 次へ

## An event's page

event-state-on-sale = 販売中
event-state-coming-up = 近日販売
event-state-paused = 一時停止中
event-state-soldout = 完売
event-state-closed = 販売終了
event-state-cancelled = 中止
event-fees-included = 価格にはチケットの手数料がすべて含まれています。
event-fee-added = 注文ごとに手数料{ $fee }がかかります。
event-sale-starts = 販売開始 { $date }
event-prices = 価格
event-about = 概要
event-word = 主催者から：{ $text }
event-travel = アクセス
event-fullest = { $places }に多くの方が集まる見込みです。他の席のほうが取りやすいです。
event-seat-map = 座席図
event-sections-list = ブロック一覧
event-ordered = このイベントの注文があります。{ $link }
event-go-on = 座席選択を続ける
event-says-soldout = 完売しました。すべての座席が販売済みです。
event-says-closed = 販売は終了しました。
event-says-used-up = このイベントで使えるセッションをすべて使用されたため、お待ちいただいても入場できません。「注文一覧」をご覧ください。
event-says-draining = 新しく待機室に入ることはできません。すでにお待ちの方は引き続き入場できます。
event-says-paused = 販売を一時停止しています。順番はそのままで、販売は自動的に再開します。
event-says-cancelled = 主催者がこのイベントを中止しました。販売は終了し、お支払いはすべて自動的に返金されます。
event-preview = これはプレビューです。購入者にはまだ表示されず、誰も参加できません。
event-perhaps-soon = イベントが公開された直後の場合、30秒以内にこのページに自動的に表示されます。
event-too-early = 待機室は販売開始の30分前に開きます。早く来ても有利にはなりません。販売開始時にいる方は全員同じ確率です。
event-enter = 待機室に入る
event-get-tickets = チケットを買う
event-to-place = 待機中の場所に戻る
event-before-start = 販売開始時にここにいる方は全員同じ確率です。再読み込みは必要ありません。
event-after-start = 順番は公平に抽選します。再読み込みをしたりウィンドウを増やしたりしても変わりません。
event-rules = 販売のしくみ
event-no-map = 現在、座席図を表示できません。座席図なしで続けられます。
event-map-failed = 現在、座席図を読み込めません。下の一覧をご利用ください。

## The end of the sale

news-sale-ends = 販売は{ $date }に終了し、その後は入場できません。
news-sale-ends-late = 販売は{ $date }に終了し、その後は入場できません。待ち時間がそれより長くなる場合があります。

## Who sells

seller-questions = お問い合わせ：{ $way }
seller-questions-either = お問い合わせ：{ $mail } または { $phone }
seller-sold-by = 販売者：{ $name }
seller-imprint = 運営者情報
seller-terms = 利用規約
seller-privacy = プライバシー
