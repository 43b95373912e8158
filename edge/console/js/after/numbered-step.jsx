// A numbered step of the screen After.

import { Badge, Card } from '../kit.jsx';

/** `state`: [tone, words]; `does`: in a sentence, what the step does or proves. */
export const NumberedStep = ({ title, state, does, children }) => (
  <li>
    <Card title={title} aside={state && <Badge tone={state[0]}>{state[1]}</Badge>}>
      <p class="dim">{does}</p>
      {children}
    </Card>
  </li>
);
