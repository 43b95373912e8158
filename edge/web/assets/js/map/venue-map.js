// The map and what stands beside it, in one file of the bundle: an event's page shows itself before this comes.

export { MapStage } from '../map-stage.js';
export { HotPlaces } from './hot.js';
export { PlaceList } from './place-list.js';
export { CHOSEN, MINE } from './scene.js';
