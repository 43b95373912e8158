# The words of the rules of a sale in Japanese.

rules-title = 販売のしくみ: { $event }
rules-draw = 抽選のしくみ
rules-draw-start = 待機室は販売開始の30分前に開きます。販売開始時にいる方は全員同じ確率です。先に来ても有利にはなりません。
rules-draw-number = 一人ひとりに偶然で決まる数が割り当てられ、入場の時が決まります。長く待つほど確率は上がり、下がることはありません。
rules-draw-late = 開始後に来た方は、その時から待ちます。
rules-draw-pace = 落ち着いて選べる人数だけが入場します。そのため、待ち時間は案内より短くも長くもなります。
rules-sign-in = ログイン用のアカウント。待機室の順番は1人に1つです。
rules-limits = 決まりごと
rules-single-seat = 1席だけが残る選び方はできません。
rules-gains = 有利にならないこと
rules-refresh = 再読み込み
rules-refresh-why = ページが適切な時に自動で確認します。何度確認しても早く入場できません。
rules-windows = 10個のタブ
rules-windows-why = 同じ方のウィンドウはすべて1つの順番を共有します。1つが確認し、ほかは待ちます。
rules-line = 速い回線
rules-line-why = 決めるのは数と待ち時間です。1秒の速さではありません。
rules-robot = ロボット
rules-robot-why = 確率はあなたと同じです。異常に多く確認すると、まず長い確認が、次に休止が課されます。
rules-proof = 抽選の確かめ方
rules-proof-before = 抽選は秘密の鍵で決まります。鍵の指紋を販売前に公開するため、気づかれずに取り替えることはできません。指紋: { $commitment }
rules-proof-beacon = 事前に誰も知りえない公開の値を混ぜます: { $source }。
rules-proof-after = 販売後、主催者は鍵を公開できます。それを使えば誰でも数を計算し直し、正しい時に入場できたかを確かめられます。
rules-proof-key = 鍵は公開されています。誰でも数を計算し直せます: { $key }
rules-proof-data = 確かめる方のためのイベントのデータ
