// Calling a buyer whose turn has come: by the title, and by a sound and a notification if they agreed.

import { h } from './dom.js';
import { tab } from './store.js';
import { say } from './words.js';

const FLASH_MS = 1000;
const NOTES_HZ = [659, 880];
const NOTE_S = 0.25;

let audio = null; // a page may sound only after a click
let endCall = () => {}; // of the call before: two at once would put the title back in between

/** Ends the call, where what it says is no longer true. */
export const hush = () => endCall();

/** Has the page call with a sound, and with a notification where the buyer allows it. To be called at a click. */
async function agree() {
  tab.set('call', true);
  try {
    audio ??= new AudioContext();
    audio.resume().catch(() => {});
  } catch {
    /* no sound on this device: title and notification call */
  }
  try {
    await window.Notification?.requestPermission();
  } catch {
    /* where the page may not ask: title and sound call */
  }
}

/** Makes the button by which a buyer agrees to be called. */
export function callButton() {
  const told = () => {
    const also = window.Notification?.permission === 'granted';
    button.textContent = say(also ? 'call-sound-and-note' : 'call-sound');
    button.disabled = true;
  };
  const button = h('button', {}, say('call-me'));
  button.addEventListener('click', () => {
    agree().then(told);
    told(); // a browser may leave its question unanswered for ever
  });
  if (audio) told();
  return button;
}

function sound() {
  NOTES_HZ.forEach((hertz, n) => {
    const note = audio.createOscillator();
    const loudness = audio.createGain();
    const start = audio.currentTime + n * NOTE_S;
    note.frequency.value = hertz;
    loudness.gain.setValueAtTime(0.2, start);
    loudness.gain.exponentialRampToValueAtTime(0.001, start + NOTE_S);
    note.connect(loudness).connect(audio.destination);
    note.start(start);
    note.stop(start + NOTE_S);
  });
}

/** Shows a notification where the buyer allows it, and returns it. */
function notify(title, text) {
  if (!tab.get('call') || window.Notification?.permission !== 'granted') return null;
  try {
    const note = new window.Notification(title, {
      body: text,
      tag: 'fairgate-turn',
      renotify: true,
      requireInteraction: true
    });
    note.onclick = () => {
      window.focus();
      note.close();
    };
    return note;
  } catch {
    return null; // only with a service worker here (Android): title and sound call
  }
}

/** Calls until somebody looks at the page. */
export function call(title, text) {
  if (audio) sound();
  if (document.hasFocus()) return;
  endCall();
  const note = notify(title, text);
  const flashed = `● ${title}`;
  let own = '';
  const flash = () => {
    if (document.title !== flashed) own = document.title; // it changes with the page
    document.title = document.title === flashed ? own : flashed;
  };
  const timer = setInterval(flash, FLASH_MS);
  const end = () => {
    clearInterval(timer);
    note?.close();
    if (document.title === flashed) document.title = own;
  };
  endCall = end;
  addEventListener('focus', end, { once: true });
}
