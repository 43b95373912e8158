// How an event will look: its colours, letters, logo and picture, as far as a page can show it before it is created.

import { useEffect, useRef, useState } from 'preact/hooks';
import { FileField } from '../argument.jsx';
import { dataOf } from '../files.js';
import { Card } from '../kit.jsx';
import { letterOn } from './colors.js';

/** Returns a file as an address that the page's policy lets it show. */
function useAddress(blob) {
  const [address, setAddress] = useState('');
  useEffect(() => {
    let over = false;
    setAddress('');
    if (blob)
      dataOf(blob).then(
        (data) => over || setAddress(data),
        () => null
      );
    return () => {
      over = true;
    };
  }, [blob]);
  return address;
}

const KINDS = '.png,.jpg,.jpeg,.webp,image/png,image/jpeg,image/webp';

/** The pictures of an event, and a page with them. `blobs`: {logo, picture}. */
export function Look({ form, blobs, shown = {} }) {
  const { values, properties } = form;
  const page = useRef(null);
  const logo = useAddress(blobs.logo) || shown.logo;
  const picture = useAddress(blobs.picture) || shown.picture;
  const color = /^#[0-9a-f]{6}$/i.test(values.color_1 ?? '') ? values.color_1 : '#0e5560';
  const accent = /^#[0-9a-f]{6}$/i.test(values.color_2 ?? '') ? values.color_2 : 'transparent';
  useEffect(() => {
    const { style } = page.current;
    style.setProperty('--look', color);
    style.setProperty('--look-letters', letterOn(color));
    style.setProperty('--look-accent', accent);
  }, [color, accent]);
  return (
    <>
      <Card title="Logo and picture">
        {['logo', 'picture']
          .filter((name) => properties[name])
          .map((name) => (
            <FileField
              key={name}
              label={name === 'logo' ? 'Logo (optional)' : 'Picture (optional)'}
              hint={properties[name].description}
              accept={KINDS}
              chosen={form.files[name]}
              onChoose={(file) => form.choose(name, file)}
            />
          ))}
      </Card>
      <Card title="Preview" aside="of the event's page">
        <div class="look" data-font={values.font || 'sans'} ref={page}>
          <div class="look-head">{logo ? <img src={logo} alt="Logo" /> : <span>Fairgate</span>}</div>
          {picture && <img class="look-picture" src={picture} alt="" />}
          <div class="look-text">
            <p class="look-name">{values.name || 'Name of the event'}</p>
            <p>{[values.artist, values.subtitle].filter(Boolean).join(' · ')}</p>
            <p>
              <span class="look-button">Enter the waiting room</span>
            </p>
          </div>
        </div>
        <p class="dim">The dry run says how colours are mended where they are hard to read.</p>
      </Card>
    </>
  );
}
