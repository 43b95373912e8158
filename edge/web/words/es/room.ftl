# The words of the waiting room and of the sale, and small parts that later pages share.

## How long it takes

soon-moment = en un momento
soon-seconds = { $count ->
    [one] en { $count } segundo
   *[other] en { $count } segundos
}
soon-minutes = { $count ->
    [one] en { $count } minuto aproximadamente
   *[other] en { $count } minutos aproximadamente
}
estimate-under-seconds = { $count ->
    [one] menos de { $count } segundo
   *[other] menos de { $count } segundos
}
estimate-under-minutes = { $count ->
    [one] menos de { $count } minuto
   *[other] menos de { $count } minutos
}
estimate-under-hours = { $count ->
    [one] menos de { $count } hora
   *[other] menos de { $count } horas
}
estimate-about-seconds = { $count ->
    [one] unos { $from }–{ $count } segundos
   *[other] unos { $from }–{ $count } segundos
}
estimate-about-minutes = { $count ->
    [one] unos { $from }–{ $count } minutos
   *[other] unos { $from }–{ $count } minutos
}
estimate-about-hours = { $count ->
    [one] unas { $from }–{ $count } horas
   *[other] unas { $from }–{ $count } horas
}
estimate-over-seconds = { $count ->
    [one] más de { $count } segundo
   *[other] más de { $count } segundos
}
estimate-over-minutes = { $count ->
    [one] más de { $count } minuto
   *[other] más de { $count } minutos
}
estimate-over-hours = { $count ->
    [one] más de { $count } hora
   *[other] más de { $count } horas
}
estimate-rarely-seconds = { $count ->
    [one] { $about }, rara vez más de { $count } segundo
   *[other] { $about }, rara vez más de { $count } segundos
}
estimate-rarely-minutes = { $count ->
    [one] { $about }, rara vez más de { $count } minuto
   *[other] { $about }, rara vez más de { $count } minutos
}
estimate-rarely-hours = { $count ->
    [one] { $about }, rara vez más de { $count } hora
   *[other] { $about }, rara vez más de { $count } horas
}

## News of the sale, for those who wait

news-paused = El organizador ha puesto la venta en pausa. Usted conserva su lugar.
news-none-free = No hay nada libre en este momento. Pueden volver asientos de otras cestas, y usted conserva su lugar hasta que se venda todo.
news-few-left = { $count ->
    [one] Queda poco: { $count } plaza. Puede agotarse antes de que entre.
   *[other] Quedan pocas: { $count } plazas. Pueden agotarse antes de que entre.
}

## Being called, and the turn to pay

call-me = Avisarme cuando sea mi turno
call-sound = Le avisamos con un sonido
call-sound-and-note = Le avisamos con un sonido y una notificación
turn-busy = Muchos compradores están pagando ahora.
turn-away = El servicio de pago no responde en este momento.
turn-opens = { $why } Sus asientos están reservados. El pago se abre en { $clock }.
turn-kept = { $why } Sus asientos están reservados.
turn-goes-on = Esta página sigue sola: déjela abierta.

## What goes wrong on later pages, and in signing in, by the problem's code

problem-sign-in-foreign = Este inicio de sesión no comenzó en esta ventana, o ya había terminado. Por su seguridad no cuenta. Inicie sesión aquí.
problem-sign-in-declined = Se canceló el inicio de sesión. Puede mirar sin él; para las entradas necesitamos saber quién es usted.
problem-sign-in-failed = El servicio de inicio de sesión no pudo terminar. No se ha perdido nada; inténtelo de nuevo.
problem-sign-in-refused = Este inicio de sesión tardó demasiado o ya se había usado. Inicie sesión de nuevo.
problem-sign-in-unavailable = Ahora no es posible iniciar sesión. No se ha perdido nada; inténtelo de nuevo en un momento.
problem-nothing-kept = Su navegador no guarda nada de este sitio, así que no le reconoceríamos al volver del inicio de sesión. Permita las cookies y los datos de este sitio, o ábralo en otra ventana u otro navegador.
problem-forbidden = Esto pertenece a otra persona.
problem-not-eligible = Esta venta no está abierta a su cuenta.
problem-not-eligible-verified-phone = { account-no-phone }
problem-not-eligible-account-days = Su cuenta es demasiado reciente para esta venta.
problem-not-eligible-members = { account-no-member }
problem-not-eligible-members-until = { account-no-member-yet }
problem-not-admitted = Todavía no puede entrar.
problem-not-admitted-settling = { problem-dependency-unavailable-settling }
problem-locked-out = Llegaron demasiadas solicitudes inusuales de esta cuenta, así que debe descansar un rato.
problem-malformed-input-email = No se puede enviar correo a esta dirección. Compruébela.
problem-malformed-input-postal_address = El organizador acaba de cambiar los datos que pide. Compruebe su nombre y dirección.
problem-malformed-input-postal_address-part = Este dato falta, es demasiado largo o tiene un carácter que no se puede imprimir.
problem-malformed-input-terms = Acepte primero las condiciones del vendedor.
problem-seats-taken = Alguien fue más rápido: uno de estos asientos acaba de ocuparse.
problem-single-seat = Así quedaría un asiento suelto. Muévase un asiento.
problem-no-seats-found = Ningún asiento coincide con este deseo. Pruebe con menos asientos, otro precio u otro sector.
problem-possible-together = Asientos libres juntos: { $what }.
problem-possible-whole = Libre: una mesa o un palco para { $what }.
problem-possible-section = Hay asientos en el sector { $what }.
problem-possible-area = Hay plazas sin numerar en { $what }.
problem-wrong-state = Esto ya no se puede hacer.
problem-wrong-state-not-sold = Este pedido no se pagó, así que no hay factura.
problem-wrong-state-no-seller = El organizador no emite facturas para este evento.
problem-wrong-state-not-yet = La factura se emite unos minutos después de que termine el tiempo para pagar. Inténtelo de nuevo entonces.
problem-wrong-state-no-mail = Aquí no se envían correos, así que las entradas no se pueden encontrar por correo. Inicie sesión como cuando las compró o póngase en contacto con la taquilla.
problem-wrong-state-being-made = Sus entradas se están creando. Inténtelo de nuevo en un momento.
problem-wrong-state-event-cancelled = El organizador ha cancelado este evento. Todo lo pagado se devuelve automáticamente al comprador.
problem-wrong-state-void = Las entradas que no son válidas no se pueden cancelar ni pasar a otra persona. Póngase en contacto con el organizador.
problem-wrong-state-never = El organizador no ofrece esto para estas entradas.
problem-wrong-state-too-late = El plazo para esto ha terminado.
problem-wrong-state-withdrawn = Esta oferta se ha retirado. La persona que pasa la entrada puede enviar un enlace nuevo.
problem-wrong-state-own = Esta es su propia entrada. Envíe el enlace a la persona que debe recibirla.
problem-wrong-state-accepted = Esta entrada ya se ha aceptado y ahora no es suya.
problem-wrong-state-too-often = Esta entrada ya se ha pasado tantas veces como está permitido. Se queda con usted.
problem-wrong-state-passed-on = Se ha pasado una entrada y su plaza ya no es de usted.
problem-version-conflict = Algo cambió entretanto. Inténtelo de nuevo.
problem-hold-expired = El tiempo de estos asientos terminó y se han devuelto.
problem-session-expired = Su tiempo para elegir terminó y sus asientos se han devuelto.
problem-sale-over = La venta ha terminado.
problem-payment-waits = Muchos compradores están pagando ahora. Sus asientos están reservados; inténtelo de nuevo en un momento.
problem-payment-waits-busy = { problem-payment-waits }
problem-payment-waits-away = { turn-away } Sus asientos están reservados; inténtelo de nuevo en un momento.
problem-payment-refused = Este pedido ya no se puede pagar.
problem-payment-refused-already-refunded = Este pago ya se ha devuelto.
problem-payment-refused-disputed = Su banco está reclamando este pago, así que no se puede reembolsar aquí.
problem-payment-refused-failed = El reembolso se envió y el banco lo devolvió. Póngase en contacto con la taquilla.
problem-payment-refused-invalid = El servicio de pago no lo acepta. Póngase en contacto con la taquilla.
problem-payment-refused-too-late = El tiempo para pagar este pedido ha terminado.
problem-payment-refused-too-old = Este pago es demasiado antiguo para reembolsarlo en la tarjeta. Póngase en contacto con la taquilla.
problem-payment-refused-unknown-payment = El servicio de pago no conoce este pago. Póngase en contacto con la taquilla.
problem-idempotency-mismatch = Esta solicitud ya se hizo de otra forma. Vuelva a cargar la página.
problem-limit-exceeded = Es más de lo que un comprador puede tener.
problem-limit-exceeded-address = Son más plazas de las que puede tener una misma dirección postal.
problem-limit-is = { $text } El límite es { $limit }.
problem-until = { $text } Sus asientos siguen siendo suyos hasta las { $time } como máximo.
problem-dependency-unavailable-settling = Aún no se sabe si estos asientos se han pagado.
problem-too-early = Fue un poco pronto. La página lo intenta de nuevo sola.
problem-link-ended = Este enlace no abre nada. Un enlace vale 24 horas: pida uno nuevo.
problem-waiting-token-ended = Hubo que darle un lugar nuevo. El sorteo es el mismo.

## Small parts

part-copied = Copiado
part-copy-yourself = Cópielo usted mismo
part-close-notice = Cerrar este aviso

## A page that needs a sign-in

sign-in-again = Iniciar sesión de nuevo
sign-in-failed = No ha iniciado sesión
sign-in-heading = Inicie sesión
sign-in-heading-again = Inicie sesión de nuevo
sign-in-why-wait = Cada persona tiene un solo lugar en la sala de espera; por eso necesitamos saber quién es usted.
sign-in-why-theirs = Los pedidos y las entradas solo se muestran a sus dueños; por eso necesitamos saber quién es usted.
sign-in-why-accept = Alguien le pasa una entrada. Inicie sesión para verla y aceptarla: después estará en «Mis pedidos». No se cobra nada.
sign-in-why-ended = Su sesión ha caducado. Eso solo no le cuesta nada: su lugar en la sala de espera y los asientos que tiene siguen siendo suyos hasta que acabe su propio tiempo. Inicie sesión con la misma cuenta.
sign-in-lost-tickets = ¿Ha perdido sus entradas? { $link }.
sign-in-lost-tickets-link = Encuéntrelas por correo electrónico

## Whom a sale is open to

account-members-until = Hasta el { $date }, solo los miembros pueden comprar entradas ({ $names }). Después la venta se abre para todos.
account-members = Solo los miembros pueden comprar entradas ({ $names }).
account-phone = Su cuenta necesita un número de teléfono verificado.
account-days = { $count ->
    [one] Su cuenta debe tener al menos { $count } día.
   *[other] Su cuenta debe tener al menos { $count } días.
}
account-address-limit = { $count ->
    [one] Una dirección postal puede tener como máximo { $count } plaza en todos los pedidos.
   *[other] Una dirección postal puede tener como máximo { $count } plazas en todos los pedidos.
}
account-card-limit = { $count ->
    [one] Una tarjeta puede pagar como máximo { $count } plaza en todos los pedidos.
   *[other] Una tarjeta puede pagar como máximo { $count } plazas en todos los pedidos.
}
account-no-phone = Su cuenta no tiene un número de teléfono verificado, así que no puede comprar entradas para este evento. Verifique su número donde inicia sesión, luego cierre la sesión aquí e iníciela de nuevo.
account-too-young = { $count ->
    [one] Las cuentas para este evento deben tener al menos { $count } día. La suya se creó el { $since }, así que no puede comprar entradas.
   *[other] Las cuentas para este evento deben tener al menos { $count } días. La suya se creó el { $since }, así que no puede comprar entradas.
}
account-age-unknown = { $count ->
    [one] Las cuentas para este evento deben tener al menos { $count } día, y su inicio de sesión no dice cuánto tiene la suya. Por eso no puede comprar entradas para este evento.
   *[other] Las cuentas para este evento deben tener al menos { $count } días, y su inicio de sesión no dice cuántos tiene la suya. Por eso no puede comprar entradas para este evento.
}
account-no-member-yet = Su cuenta no es de miembro. Vuelva { $date }: venir antes no da ventaja.
account-no-member = Su cuenta no es de miembro, así que no puede comprar entradas para este evento.

## The waiting room

wait-title = Sala de espera: { $event }
wait-heading-joining = Tomando su lugar…
wait-heading-elsewhere = Otra ventana tiene su lugar
wait-heading-solving = Una breve comprobación de su navegador…
wait-heading-waiting = Está en la sala de espera
wait-heading-prequeue = Llega pronto, y su lugar está seguro
wait-heading-asking = Preguntando si puede entrar…
wait-heading-paused = La venta está en pausa
wait-heading-full = Ya casi está dentro
wait-heading-settling = Su último pedido se está cerrando
wait-heading-locked = Todavía no puede entrar
wait-heading-busy = El servicio está muy ocupado
wait-heading-offline = Se perdió la conexión
wait-heading-strange = Algo en esta red responde en nuestro lugar
wait-heading-stripped = Algo en esta red quita una parte de lo que envía esta página
wait-text-joining = Un momento.
wait-text-elsewhere = Siga allí. Esta ventana toma el relevo sola cuando se cierre la otra.
wait-text-solving = Su dispositivo hace un pequeño trabajo para que nadie pueda enviar miles de robots.
wait-text-waiting = Los lugares se sortean de forma justa, y cuanto más espera, mayor es su oportunidad. Le dejamos entrar automáticamente.
wait-text-prequeue = Todos los que están aquí cuando empieza la venta tienen la misma oportunidad: ser el primero no da ventaja.
wait-text-asking = Un momento.
wait-text-paused = El organizador ha parado la cola un momento. Usted conserva su lugar y la cola sigue sola.
wait-text-full = Todos los lugares de dentro están ocupados en este momento. Se liberan en el orden del sorteo, así que preguntar antes no ayuda a nadie.
wait-text-settling = Usted conserva su lugar y la página lo intenta de nuevo sola.
wait-text-locked = Usted conserva su lugar y la página lo intenta de nuevo sola.
wait-text-busy = Su lugar está seguro. La página lo intenta de nuevo sola.
wait-text-offline = Su lugar está seguro en este dispositivo. La página sigue cuando vuelva la conexión.
wait-text-strange = Seguimos intentándolo; su lugar está seguro. Si esta red pide iniciar sesión, abra su página; si no, ayuda otra red, como la de su teléfono.
wait-text-stripped = Sin esa parte no podemos conocer su lugar. Seguimos intentándolo; su lugar está seguro. Casi siempre ayuda otra red, como la de su teléfono.
wait-says-estimate = { $heading }: { $estimate }
wait-lapsed = Su lugar caducó mientras esta página dormía, así que tiene uno nuevo: espera desde ahora.
wait-noticed = Se notaron solicitudes inusuales de esta cuenta, así que su navegador hace una comprobación más larga.
wait-hint-open = Deje esta página abierta. Puede volver a cargarla o bloquear la pantalla unos minutos: conserva su lugar.
wait-hint-windows = Actualizar, abrir más ventanas o tener una línea más rápida no ayuda a nadie.
wait-leave = Salir de la sala de espera
wait-really-leave = ¿Salir de verdad? Se pierde su lugar
wait-starts-in = La venta empieza en
wait-fact-estimate = Su espera desde ahora
wait-fact-unknown = aún no se conoce
wait-fact-starts = La venta empieza
wait-fact-since = Lleva esperando
wait-fact-next = Próxima consulta
wait-fact-now = ahora
wait-turn = Es su turno
wait-you-are-in = Está dentro hasta las { $until }. Elija sus asientos.
in-title = Está dentro: { $event }
in-heading = Está dentro
in-since = Entró a las { $from }. Su tiempo para elegir corre y termina a las { $until }.
in-until = Su tiempo para elegir corre y termina a las { $until }.
in-choose = Elegir asientos
in-steps = Qué hacer
in-step-choose = Elija un sector en el plano o deje que busquemos los mejores asientos: hasta { $limit } a la vez.
in-step-hold = Reserve sus asientos. Lo que solo está elegido sigue libre para otros.
in-step-pay = Vaya al pago antes de que termine su tiempo. Tiempo para pagar después: { $time }.
in-ends = Cuando termine su tiempo, lo que tenga reservado vuelve a los demás.
wait-room-full = La sala de espera está llena
wait-room-full-text = No se admite a nadie más. Los compradores que ya esperan siguen entrando. Lamentamos que esta vez haya llegado tarde.
wait-sale-over = La venta ha terminado
wait-sold-out = Agotado
wait-sold-out-text = Cada asiento ha encontrado a alguien. Lamentamos que esta vez no fuera usted; participó en un sorteo justo.
wait-closed-text = La venta ha terminado. Gracias por esperar.
wait-break-open = Use una sola ventana y no actualice; la página pregunta sola.
wait-lock-ends = Esto termina en
wait-lock-person = Lo ha decidido una persona del organizador. El motivo: { $reason }
wait-appeal-text = ¿Qué debe saber esa persona? (opcional)
wait-appeal-ask = Pedir que lo revise una persona
wait-appealed = Se ha pedido a una persona que lo revise. Si le deja entrar, esta página continúa enseguida; si no, continúa cuando termine el tiempo. Usted no tiene que hacer nada más.
wait-used-up = No puede volver a entrar
wait-used-up-text = Ha usado todas sus sesiones para este evento y esperaría en vano.
wait-not-eligible = Esta venta no está abierta a su cuenta
wait-trying-again = Lo intentamos de nuevo solos.
room-as-of = Plazas libres a las { $time }.
ready-title = Tenga preparado
ready-sign-in = Ha iniciado sesión. No hace falta nada más para eso.
ready-pay = Una tarjeta o un monedero para pagar, y la aplicación con la que pregunta su banco.
ready-address = Su dirección postal: se pide en el pago.
ready-wishes = Cuánto quiere pagar, y otras dos opciones.
ready-limit = Plazas por cuenta: hasta { $limit }.
ready-times = Tiempo para elegir: { $choose }. Tiempo para pagar después: { $pay }.

## The end of a session

session-time-over = Su tiempo para elegir terminó y sus asientos se han devuelto para que otros puedan tenerlos.
session-none = Aquí no hay una sesión abierta para usted. Si su tiempo terminó, sus asientos se han devuelto.
session-ended = Esta sesión ha terminado.
session-over = Su sesión ha terminado
session-ordered = Ha hecho un pedido
session-ordered-text = Su pedido para este evento está seguro. Ahora no tiene una sesión abierta para él.

## The sale

sale-title = Elija sus asientos: { $event }
sale-time = Tiempo restante
sale-time-left = quedan { $time }
sale-one-minute = Queda un minuto.
sale-to-venue = Volver a todo el recinto
sale-show-list = Mostrar como lista
sale-show-map = Mostrar el plano
sale-seat-taken = { $seat } está ocupado.
sale-seat-mine = { $seat } ya está reservado para usted.
sale-seat-chosen = { $seat } elegido
sale-seat-unchosen = { $seat } ya no está elegido
sale-limit = Un comprador puede reservar hasta { $limit }. Devuelva uno para elegir otro.
sale-limit-held = { $count ->
    [one] Un comprador puede reservar hasta { $limit }, y { $count } ya está reservado.
   *[other] Un comprador puede reservar hasta { $limit }, y { $count } ya están reservados.
}
sale-held = Reservado para usted: { $seats }.
sale-given-back = Devuelto.
sale-faster = { $count ->
    [one] Alguien fue más rápido: { $seats } está ocupado.
   *[other] Alguien fue más rápido: { $seats } están ocupados.
}
sale-faster-others = Los demás siguen elegidos y aún no están reservados.
sale-faster-choose = Elija otro.
sale-being-taken = Otra persona está tomando { $seats } en este momento. Si no lo hace, quedará libre en unos segundos.
sale-just-taken = Acaba de ocuparlo otra persona: { $seats }.
sale-outdated = El plano no está actualizado en este momento. Los asientos que tiene reservados están seguros.
sale-seats = { $count ->
    [one] { $count } asiento
   *[other] { $count } asientos
}

## Beside the map

panel-title = Sus asientos
panel-key = En el plano, los puntos grises pequeños están ocupados u ocultos por sus precios, las rayas indican que quedan pocos, y ✓ es suyo.
panel-to-map = Volver al plano
panel-to-seats = Sus asientos y los mejores disponibles
panel-best = Mejores disponibles
panel-any-price = Cualquier precio
panel-find = Buscar y reservar asientos
panel-seats = Asientos
panel-price = Precio
panel-where = Dónde
panel-anywhere = En cualquier parte
panel-wheelchair = Con espacio para silla de ruedas
panel-holding = Reservando…
panel-hold = { $count ->
    [one] Reservar { $count } asiento
   *[other] Reservar { $count } asientos
}
panel-chosen-title = { $count ->
    [one] Elegido: { $count } asiento
   *[other] Elegido: { $count } asientos
}
panel-chosen = { $count ->
    [one] { $count } asiento elegido
   *[other] { $count } asientos elegidos
}
panel-held = { $count ->
    [one] { $count } asiento reservado
   *[other] { $count } asientos reservados
}
panel-not-held = Aún no reservado.
panel-held-title = Reservado para usted
panel-total = Total
panel-fees = Todos los gastos están en el total.
panel-go-to-checkout = Ir al pago
panel-checkout = Pago
panel-nothing = Aún no hay nada reservado
panel-empty = Aún no hay nada reservado. Elija un sector en el plano o deje que busquemos los mejores asientos. Puede reservar hasta { $limit }.
panel-not-this = No tomar { $seat }
panel-give-back = Devolver
panel-give-these-back = Devolver estos

## Seats as a list

list-row = Fila { $row }
list-free = { $count ->
    [one] { $count } asiento libre
   *[other] { $count } asientos libres
}
list-none-free = ninguno libre
list-state-mine = reservado para usted
list-state-gone = ocupado
list-kind-accessible = accesible
list-kind-companion = acompañante
list-table-for = mesa para { $count }
list-box-for = palco para { $count }

## An area without numbered seats

area-hold = Reservar plazas
area-free-seating = Sin asientos numerados: de pie o sentado, donde quiera.
area-free-seating-price = Sin asientos numerados: de pie o sentado, donde quiera. { $price } cada una.
area-how-many = Cuántas
area-left = { $count ->
    [one] queda { $count } plaza
   *[other] quedan { $count } plazas
}
area-none-left = No queda ninguna en este momento
