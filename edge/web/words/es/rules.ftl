# The words of the rules of a sale in Spanish.

rules-title = Cómo funciona la venta: { $event }
rules-draw = Cómo funciona el sorteo
rules-draw-start = La sala de espera abre media hora antes de la venta. Todos los que están allí cuando empieza la venta tienen la misma oportunidad: ser el primero no da ventaja.
rules-draw-number = El azar da a cada uno un número. Decide cuándo se entra. Quien espera más tiene una oportunidad mejor, nunca peor.
rules-draw-late = Quien llega después del comienzo espera desde entonces.
rules-draw-pace = Entran tantos como pueden elegir con calma. Por eso la espera puede ser más corta o más larga de lo que decimos.
rules-sign-in = Una cuenta para iniciar sesión. Una persona tiene un lugar en la sala de espera.
rules-limits = Lo que está permitido
rules-single-seat = Una elección que deja un asiento suelto se rechaza.
rules-gains = Lo que no da ventaja
rules-refresh = Actualizar
rules-refresh-why = La página pregunta sola en el momento justo. Preguntar más a menudo no hace entrar antes a nadie.
rules-windows = Diez pestañas
rules-windows-why = Todas las ventanas de una persona comparten un lugar. Una pregunta, las otras la esperan.
rules-line = Una línea más rápida
rules-line-why = Deciden su número y su espera, no quién es un segundo más rápido.
rules-robot = Un robot
rules-robot-why = Tiene la misma oportunidad que usted. Quien pregunta demasiado a menudo recibe primero una comprobación más larga y después una pausa.
rules-proof = Cómo comprobar el sorteo
rules-proof-before = El sorteo depende de una clave secreta que no se puede cambiar sin que se note: su huella es pública antes de la venta. Es { $commitment }
rules-proof-beacon = Se añade un valor público que nadie puede conocer de antemano: { $source }.
rules-proof-after = Después de la venta, el organizador puede publicar la clave. Con ella cualquiera puede volver a calcular los números y ver si entró en su momento.
rules-proof-key = La clave es pública, y cualquiera puede volver a calcular los números: { $key }
rules-proof-data = Los datos del evento, para quien los compruebe
