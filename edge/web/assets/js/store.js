// What survives a reload. Storage may be refused (private windows); then a tab's memory serves.

const refused = new Map(); // kind and key → what the storage did not take, which may have an older value

function storage(kind) {
  try {
    return window[kind];
  } catch {
    return null;
  }
}

function read(kind, key) {
  if (refused.has(kind + key)) return refused.get(kind + key);
  try {
    return JSON.parse(storage(kind).getItem('fairgate:' + key));
  } catch {
    return null;
  }
}

function write(kind, key, value) {
  try {
    if (value === null) storage(kind).removeItem('fairgate:' + key);
    else storage(kind).setItem('fairgate:' + key, JSON.stringify(value));
    refused.delete(kind + key);
  } catch {
    refused.set(kind + key, value); // full, or forbidden
  }
}

function keeps(kind) {
  try {
    const kept = storage(kind);
    kept.setItem('fairgate:keeps', '1');
    kept.removeItem('fairgate:keeps');
    return true;
  } catch {
    return false;
  }
}

/** Stores values until the tab closes; `keeps` says whether also while another site is open in it. */
export const tab = {
  get: (key) => read('sessionStorage', key),
  set: (key, value) => write('sessionStorage', key, value),
  keeps: () => keeps('sessionStorage')
};

/** Stores values until the browser forgets them. */
export const device = {
  get: (key) => read('localStorage', key),
  set: (key, value) => write('localStorage', key, value)
};

/** Calls `changed(now, before)` when another window has changed what the device keeps under this key. */
export function onChange(key, changed) {
  const parsed = (text) => {
    try {
      return JSON.parse(text);
    } catch {
      return null;
    }
  };
  addEventListener('storage', (event) => {
    if (event.storageArea === storage('localStorage') && event.key === 'fairgate:' + key)
      changed(parsed(event.newValue), parsed(event.oldValue));
  });
}
