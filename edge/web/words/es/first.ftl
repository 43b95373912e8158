# The words of the first pages: the frame of every page, signing in, what goes wrong, the list of events, an event's
# page, and what other pages share with them. One line for each text; a text that depends on a number has its forms
# in lines of their own. Names of elements, such as { $link }, stand where the page puts them.

## Every page

page-skip = Ir al contenido
page-offline = Está sin conexión. No se ha perdido nada: esta página sigue cuando vuelva la conexión.
page-language = Idioma
page-loading = Cargando…
page-loading-title = Cargando
page-my-orders = Mis pedidos
page-find-tickets = Encontrar mis entradas
page-sign-in = Iniciar sesión
page-sign-out = Cerrar sesión
page-all-events = Todos los eventos
page-to-event = Volver al evento
page-to-order = Ver su pedido
page-try-again = Intentar de nuevo
page-failed = Algo lo impide
page-not-found = No encontrado

## What goes wrong on any page, by the problem's code

problem-offline = No se puede llegar al servicio en este momento. Compruebe su conexión e inténtelo de nuevo.
problem-strange-network = Algo en esta red responde en nuestro lugar. No se ha perdido nada. Si esta red pide iniciar sesión, abra su página; si no, pruebe otra red, como la de su teléfono.
problem-stripped-request = Algo en esta red quita una parte de lo que envía esta página. No se ha perdido nada. Casi siempre ayuda otra red, como la de su teléfono.
problem-malformed-input = No se entendió algo de esta solicitud. Compruebe lo que ha escrito.
problem-not-found = Esto no existe, o ya no existe.
problem-too-many-requests = Eso fue un poco rápido. Espere un momento e inténtelo de nuevo.
problem-dependency-unavailable = El servicio está muy ocupado. No se ha perdido nada; inténtelo de nuevo en un momento.
problem-unauthenticated = Inicie sesión.
problem-sign-in-ended = Su sesión ha caducado. Inicie sesión de nuevo.
problem-internal = Algo falló por nuestra parte. No se ha cobrado nada. Inténtelo de nuevo.

## What a countdown counts

time-days = { $count ->
    [one] día
   *[other] días
}
time-hours = { $count ->
    [one] hora
   *[other] horas
}
time-minutes = { $count ->
    [one] minuto
   *[other] minutos
}
time-seconds = { $count ->
    [one] segundo
   *[other] segundos
}

## Seats and places

seat-in-row = Fila { $row }, asiento { $number }
seat-table = Mesa { $number } para { $count }
seat-box = Palco { $number } para { $count }
seat-section = Sector { $name }

## The list of events

events-title = Eventos
events-search = Artista, evento o lugar
events-city = Ciudad
events-all-cities = Todas las ciudades
events-kind = Tipo
events-all-kinds = Todos los tipos
events-from = Desde
events-until = Hasta
events-past = Eventos pasados
events-count = { $count ->
    [one] { $count } evento
   *[other] { $count } eventos
}
events-none-match = Ningún evento coincide. Esta página vuelve a buscar sola.
events-none = Todavía no hay nada a la venta. Esta página vuelve a buscar sola.
events-sale-from = A la venta desde el { $date }
events-pages = Páginas
events-page = Página { $page } de { $pages }
events-back = Anterior
events-next = Siguiente

## An event's page

event-state-on-sale = A la venta
event-state-coming-up = Próximamente
event-state-paused = En pausa
event-state-soldout = Agotado
event-state-closed = Finalizado
event-state-cancelled = Cancelado
event-fees-included = Los precios incluyen todos los gastos de una entrada.
event-fee-added = A cada pedido se añaden gastos de { $fee }.
event-sale-starts = La venta empieza { $date }
event-prices = Precios
event-about = Acerca de
event-word = Del organizador: { $text }
event-travel = Cómo llegar
event-fullest = La mayoría de los compradores querrá { $places }. Otras plazas son más fáciles de conseguir.
event-seat-map = Plano de asientos
event-sections-list = Sectores en lista
event-ordered = Tiene un pedido para este evento. { $link }
event-go-on = Seguir eligiendo asientos
event-says-soldout = Agotado. Cada asiento tiene su entrada.
event-says-closed = La venta ha terminado.
event-says-used-up = Ha usado todas sus sesiones para este evento y esperaría en vano. Vea «Mis pedidos».
event-says-draining = Nadie más puede entrar en la sala de espera. Los compradores que ya esperan siguen pasando.
event-says-paused = La venta está en pausa. Usted conserva su lugar y la venta sigue sola.
event-says-cancelled = El organizador ha cancelado este evento. Ya no se vende nada y todos los pagos se devuelven solos.
event-preview = Esto es una vista previa. Los compradores aún no ven este evento y nadie puede entrar.
event-perhaps-soon = Si el evento acaba de publicarse, esta página lo muestra sola en medio minuto.
event-too-early = La sala de espera abre media hora antes de la venta. Venir pronto no da ventaja: todos los que están cuando empieza la venta tienen la misma oportunidad.
event-enter = Entrar en la sala de espera
event-get-tickets = Conseguir entradas
event-to-place = Volver a su lugar
event-before-start = Todos los que están aquí cuando empieza la venta tienen la misma oportunidad. No hace falta actualizar.
event-after-start = Los lugares se sortean de forma justa. Actualizar o abrir más ventanas no cambia nada.
event-rules = Cómo funciona la venta
event-no-map = El plano de asientos no se puede mostrar ahora. Puede seguir sin él.
event-map-failed = El plano no se puede cargar ahora. La lista está abajo.

## The end of the sale

news-sale-ends = La venta termina { $date }, y después no entra nadie.
news-sale-ends-late = La venta termina { $date }, y después no entra nadie. Su espera puede durar más.

## Who sells

seller-questions = ¿Preguntas? { $way }
seller-questions-either = ¿Preguntas? { $mail } o { $phone }
seller-sold-by = Vendido por { $name }
seller-imprint = Aviso legal
seller-terms = Condiciones
seller-privacy = Privacidad
