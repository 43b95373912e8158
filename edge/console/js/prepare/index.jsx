// What belongs to preparing an event, loaded when it is needed.

export { Prepare } from './event.jsx';
export { NewEvent } from './new-event.jsx';
