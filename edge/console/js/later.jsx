// Screens that are loaded when somebody goes there, so that the first page stays small.

import { useEffect, useState } from 'preact/hooks';
import { Button, Loading, Notice } from './kit.jsx';

/** Returns a screen in the place of one that `load` resolves to. */
export const later = (load) =>
  function Later(props) {
    const [Shown, setShown] = useState(null);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      load().then(
        (screen) => setShown(() => screen),
        () => setFailed(true)
      );
    }, []);
    if (Shown) return <Shown {...props} />;
    if (!failed) return <Loading />;
    return (
      <Notice tone="bad" title="This screen could not be loaded">
        <p>The line may be interrupted, or the console was updated.</p>
        <Button onClick={() => location.reload()}>Load the page again</Button>
      </Notice>
    );
  };
