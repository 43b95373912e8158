# The words of checkout, orders, tickets, and what is done with them.

## Checkout

checkout-title = Pago: { $event }
checkout-heading = Pago
checkout-fee-order = Gastos por pedido
checkout-fee-ticket = { $count } × gastos por entrada
checkout-pay = Pagar { $sum }
checkout-moment = Un momento…
checkout-email = Correo para sus entradas
checkout-provider = Usted paga en la página del servicio de pago. Nunca vemos su tarjeta.
checkout-accept = Acepto las { $terms }
checkout-terms = condiciones del vendedor
checkout-terms-new = El vendedor tiene nuevas condiciones. Léalas y acéptelas, por favor.
checkout-change-seats = ← Cambiar asientos

## The buyer's address

postal-heading = Su nombre y dirección
postal-name = Nombre
postal-street = Calle y número
postal-postcode = Código postal (si lo hay)
postal-city = Ciudad
postal-country = País

## What has become of an order

order-title-pending = Esperando su pago
order-text-pending = En cuanto el servicio de pago nos lo diga, sus entradas aparecen aquí.
order-title-paid = Pagado. Sus entradas se están creando
order-text-paid = Tarda unos segundos.
order-title-ticketed = Sus entradas
order-title-failed = Ha devuelto estos asientos
order-text-failed = No se ha cobrado nada.
order-title-expired = El tiempo para pagar terminó
order-text-expired = No se ha cobrado nada y sus asientos se han devuelto.
order-title-refund-due = Su dinero vuelve a usted
order-text-refund-due = El pago llegó cuando sus asientos ya no estaban, así que no se pudieron guardar para usted.
order-title-refunded = Su dinero se ha devuelto
order-title-cancelled = El pedido se canceló
order-text-cancelled = Las entradas ya no son válidas.
order-title-disputed = Sus entradas están retenidas
order-text-disputed = Su banco ha reclamado este pago, así que las entradas no son válidas por ahora. Si fue un error, dígaselo a su banco: cuando lo retire, volverán a ser válidas.
order-title-charged-back = Este pedido ha terminado
order-text-charged-back = Su banco recuperó el pago y las entradas ya no son válidas. No se cobra nada más.
order-title-declined = Su tarjeta fue rechazada
order-text-declined = Su banco rechazó la tarjeta. No se ha cobrado nada. Sus asientos son suyos hasta las { $time }.
order-title-card-limit = Esta tarjeta ha llegado a su límite
order-text-card-limit = Con esta tarjeta ya se han comprado tantas plazas como puede una tarjeta. No se ha cobrado nada. Sus asientos son suyos hasta las { $time }.
order-title-all-passed-on = Ha pasado sus entradas
order-text-all-passed-on = Ahora las tienen otros, cada una con su propio código.
order-title-event-cancelled = El evento está cancelado
order-text-event-cancelled = El organizador ha cancelado este evento. Sus entradas ya no son válidas y todo lo que pagó vuelve a usted.
order-title-settling = Comprobando si ha pagado
order-text-settling = El tiempo para pagar terminó y el servicio de pago aún no ha dicho si ha pagado. Si lo hizo, sus entradas aparecen aquí. Si no, los asientos se devuelven, a las { $time } como máximo.
order-text-settling-late = El tiempo para pagar terminó y el servicio de pago aún no ha dicho si ha pagado. Si lo hizo, recibe aquí sus entradas, o su dinero si otros ya tienen los asientos.
order-title-void = Sus entradas están anuladas
order-text-void = El organizador las ha anulado. Ya no son válidas. Póngase en contacto con el organizador.
order-text-void-these = Estas entradas están anuladas: { $labels }. Ya no son válidas. Póngase en contacto con el organizador.
order-word-pending = Por pagar
order-word-paid = Pagado
order-word-ticketed = Entradas
order-word-failed = Devuelto
order-word-expired = No pagado
order-word-refund-due = Reembolso
order-word-refunded = Reembolsado
order-word-cancelled = Cancelado
order-word-disputed = Retenido
order-word-charged-back = Terminado
order-word-event-cancelled = Evento cancelado
order-word-none-left = Ninguna entrada
order-refunding = Se está reembolsando. Los bancos tardan unos días. ¿No ha llegado el dinero para entonces? Póngase en contacto con la taquilla.
order-refund-owed = Se le van a devolver { $sum }. Los bancos tardan unos días. ¿No ha llegado el dinero para entonces? Póngase en contacto con la taquilla.
order-refund-sent = { $sum } van de camino a usted. Los bancos tardan unos días. ¿No ha llegado el dinero para entonces? Póngase en contacto con la taquilla.
order-refund-arrived = Se le han devuelto { $sum }. Su banco puede tardar unos días en mostrarlo.
order-refund-attention = Su reembolso de { $sum } no llegó a su banco. El organizador lo sabe y se ocupa; usted no tiene que hacer nada ahora.
order-refund-handled = Su reembolso de { $sum } no llegó al principio a su banco y el organizador se ha ocupado. ¿No ha llegado? Póngase en contacto con la taquilla.
order-title-refund-attention = El organizador se ocupa de su reembolso
order-title-refund-handled = Se ha atendido su reembolso
order-paid-twice = Ha pagado este pedido por segunda vez. { $text }

## An order's page

order-heading = Pedido
order-payment = Pago
order-copy = Copiar
order-vat = incl. { $rate } % de IVA, { $sum }
order-postal = Nombre y dirección postal: { $address }
order-mails-to = Los correos van a { $email }.
order-places = { $count ->
    [one] { $event }, { $count } plaza
   *[other] { $event }, { $count } plazas
}
order-calendar = Añadir al calendario
order-invoice = Factura (PDF)
order-to-payment = Ir a la página de pago
order-unpaid = Aún no pagado. Si la tarjeta fue rechazada o volvió sin pagar: no se ha cobrado nada y puede intentarlo de nuevo.
order-held-for = Sus asientos están reservados { $clock } más.
order-change-address = Cambiar la dirección
order-tickets-go-to = Las entradas van a { $email }
order-address-changed = La dirección ha cambiado.
order-give-back = Devolver los asientos
order-give-back-really = ¿Devolver los asientos de verdad?
order-too-late = El tiempo para pagar estos asientos terminó. Si ha pagado de todos modos, esta página lo muestra.
order-paid-meanwhile = Acaba de pagar estos asientos: son suyos.
order-no-news = Su sesión ha caducado, así que esta página no muestra más noticias de su pedido. { $again }
order-sent-to = Enviado a { $email }. Puede tardar unos minutos.
order-send-there = Enviar las entradas allí
order-send-again = Cambiarlo o enviarlas de nuevo
order-sent-now = Las entradas se envían a { $email }.
order-sent-often = Hoy ha hecho enviar entradas varias veces. Inténtelo mañana.

## A place, as its label says it; the words are those of mails and tickets

place-seat = { $section } · Fila { $row } · Asiento { $number }
place-table = { $section } · { $row } · Mesa { $number }
place-box = { $section } · { $row } · Palco { $number }

## All orders

orders-count = { $count ->
    [one] { $count } entrada · { $sum }
   *[other] { $count } entradas · { $sum }
}
orders-goes-back = { $text } · se devuelven { $sum }
orders-sent-back = { $text } · devueltos { $sum }
orders-none = No ha pedido nada con esta cuenta. Un pedido aparece aquí momentos después de hacerse.
orders-older = Pedidos anteriores
orders-older-failed = No se pudieron cargar los pedidos anteriores. { $why }
orders-passed-on = Pasadas a usted
orders-bought = Compradas por usted
orders-ticket = Entrada
orders-word-passed-on = Pasada
orders-word-void = Anulada

## Tickets

ticket-show = { $count ->
    [one] Muestre este código en la entrada, en pantalla o en papel.
   *[other] Muestre estos códigos en la entrada, en pantalla o en papel.
}
ticket-all-pdf = Entradas (PDF)
ticket-number = Entrada { $number } de { $total }
ticket-loading = Cargando la entrada…
ticket-save = Guardar imagen
ticket-picture = { $name }, con su código QR
ticket-offered = Ofrecida hasta el { $date }. Es suya hasta que alguien la acepte.
ticket-not-loaded = No se pudo cargar: { $name }.
ticket-load-again = Cargar de nuevo
ticket-gone = Pasada: { $label }
ticket-gone-text = Ahora otra persona tiene esta entrada. Su código aquí ya no vale.
ticket-apple = Apple Wallet
ticket-google = Google Wallet

## Passing a ticket on

transfer-heading = Pasar una entrada a otra persona
transfer-ended = Las entradas se podían pasar hasta el { $date }.
transfer-how = Puede hacerlo hasta el { $date }. Recibe un enlace, válido 48 horas como máximo. Quien lo abre e inicia sesión tiene la entrada, con un código nuevo, y la suya deja de valer. Hasta entonces la entrada sigue siendo suya.
transfer-money = Usted no puede cancelar una entrada que ha pasado. Si se cancela el evento, el dinero vuelve al comprador de las entradas.
transfer-pass = Pasar
transfer-show-link = Mostrar el enlace
transfer-withdraw = Retirar
transfer-withdraw-of = Retirar la oferta: { $label }
transfer-offered-until = Ofrecida hasta el { $date }
transfer-here = Aquí está el enlace.
transfer-withdrawn = La oferta se ha retirado.
transfer-link = Enlace de la oferta
transfer-copy = Copiar el enlace
transfer-good-until = Válido hasta el { $date }, para una persona. No lo envíe a nadie más.
transfer-of = { $what }: { $label }

## Taking a ticket over

accept-title = Una entrada para usted
accept-ticket = Una entrada
accept-take = Aceptar esta entrada
accept-taken = La entrada es suya.
accept-text = Alguien le pasa esta entrada. Cuando la acepte, tendrá un código nuevo que es solo suyo. Cuenta como una de las plazas que puede tener en este evento.
accept-until = La oferta vale hasta el { $date }.
accept-none = Ninguna entrada con este enlace
accept-own = Este es el enlace a su propia entrada
accept-not-whole = Este enlace no está completo. Pregunte a la persona que se lo envió.
accept-too-late = El plazo de esta oferta ha terminado. Pregunte a la persona que le envió el enlace.

## Tickets that were passed on

held-title = { $count ->
    [one] Su entrada
   *[other] Sus entradas
}
held-cancelled = El organizador ha cancelado este evento y su entrada ya no es válida. El dinero vuelve a su comprador.
held-not-now = La entrada no es válida ahora. Pregunte a la persona que se la pasó.
held-void = Anulada: { $labels }. Póngase en contacto con el organizador.
held-passed-on = Ha pasado su entrada.

## Giving back

cancel-given-back = Devuelto: { $label }
cancel-fee = , gastos { $sum }
cancel-ended = Este pedido se podía cancelar hasta el { $date }.
cancel-how = Puede cancelar hasta el { $date }. Las entradas dejan de valer enseguida y los asientos se venden de nuevo.
cancel-heading-place = Cancelar una plaza de este pedido
cancel-heading-either = Cancelar este pedido o una de sus plazas
cancel-heading-order = Cancelar este pedido
cancel-fee-kept = se retienen gastos de { $sum }
cancel-all-left = { $count ->
    [one] Todo lo que queda, { $count } entrada
   *[other] Todo lo que queda, { $count } entradas
}
cancel-button = Cancelar, se devuelven { $sum }
cancel-really = ¿Cancelar de verdad? { $sum } vuelven a usted
cancel-really-fee = ¿Cancelar de verdad? { $sum } vuelven a usted; se retienen gastos de { $fee }
cancel-done = { $what }: cancelado.
cancel-of = { $button }: { $what }
cancel-place = { $count ->
    [one] { $label }
   *[other] { $label }, las { $count } entradas
}

## Tickets that are lost

find-title = Encontrar mis entradas
find-how = Escriba el correo que dio al hacer el pedido. Enviamos allí un enlace a sus entradas.
find-email = Correo del pedido
find-send = Enviarme el enlace
find-no-sign-in = No necesita iniciar sesión. Si puede iniciarla como antes, lo encuentra todo en { $orders }.
find-sent = Mire en su buzón
find-sent-to = Si se compró algo con { $email }, un correo va de camino.
find-link = { $hours ->
    [one] Su enlace muestra los pedidos y las entradas y vale { $hours } hora. ¿Ningún correo tras unos minutos? Mire entre los no deseados y pruebe sus otras direcciones.
   *[other] Su enlace muestra los pedidos y las entradas y vale { $hours } horas. ¿Ningún correo tras unos minutos? Mire entre los no deseados y pruebe sus otras direcciones.
}
find-most = { $hours ->
    [one] A una dirección se envían { $mails } correos por hora como máximo.
   *[other] A una dirección se envían { $mails } correos en { $hours } horas como máximo.
}
find-other = Probar otra dirección

## What a mailed link opens

found-title = Sus pedidos y entradas
found-bought = Comprado con su correo. Este enlace vale hasta el { $date }.
found-nothing = Ya no hay nada que mostrar.
found-older = Hay pedidos anteriores. Inicie sesión como cuando los compró.
found-show = { $count ->
    [one] Mostrar { $count } entrada
   *[other] Mostrar { $count } entradas
}
found-passed = Pasado a otros: { $places }.
found-returned = Devuelto: { $places }.
found-ordered = Pedido el { $date }, pedido { $order }
found-ended = Este enlace no abre nada
found-ended-text = Un enlace de nuestro correo vale 24 horas. El suyo es más antiguo o no se copió entero.
found-ask-new = Pedir un enlace nuevo
