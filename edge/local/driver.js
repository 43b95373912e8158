// Joined behind the functions of the edge, for nginx: CloudFront's event from nginx's request, and back.

function entries(pairs) {
  const headers = {};
  pairs.forEach(function (pair) {
    const name = pair[0].toLowerCase();
    if (headers[name] === undefined) {
      headers[name] = { value: pair[1] };
    } else {
      if (headers[name].multiValue === undefined) {
        headers[name].multiValue = [{ value: headers[name].value }];
      }
      headers[name].multiValue.push({ value: pair[1] });
    }
  });
  return headers;
}

function queryOf(text) {
  const query = {};
  text.split('&').forEach(function (part) {
    if (part !== '') {
      const at = part.indexOf('=');
      query[at < 0 ? part : part.slice(0, at)] = { value: at < 0 ? '' : part.slice(at + 1) };
    }
  });
  return query;
}

function eventOf(r) {
  const target = r.variables.request_uri.split('?');
  const headers = r.rawHeadersIn.filter(function (pair) {
    return pair[0].toLowerCase() !== 'cookie'; // CloudFront keeps cookies apart; the gate has none
  });
  return {
    version: '1.0',
    context: {
      distributionDomainName: r.variables.host,
      distributionId: 'LOCAL',
      eventType: 'viewer-request',
      requestId: r.variables.request_id
    },
    viewer: { ip: r.remoteAddress },
    request: {
      method: r.method,
      uri: target[0],
      querystring: queryOf(target.slice(1).join('?')),
      headers: entries(headers),
      cookies: {}
    }
  };
}

// What the function says: null when it has answered, else the request that goes on.
async function passed(r) {
  process.env.FAIRGATE_KVS_DIR = r.variables.fairgate_kvs_dir; // for the cloudfront module
  globalThis.console = {
    log: function (text) {
      r.error(text);
    }
  };
  const result = await handler(eventOf(r));
  if (result.statusCode === undefined) {
    return result;
  }
  for (const name in result.headers) {
    r.headersOut[name] = result.headers[name].value;
  }
  r.return(result.statusCode, result.body);
  return null;
}

// js_var variables: nginx runs its rewrite phase again after the redirect and resets others.
function goOn(r, result, word) {
  const query = Object.keys(result.querystring)
    .map(function (name) {
      return name + '=' + result.querystring[name].value;
    })
    .join('&');
  r.variables.fairgate_edge = word === undefined ? '' : word.value;
  r.variables.fairgate_query = query;
  r.variables.fairgate_file = result.uri;
  r.variables.fairgate_target = result.uri + (query === '' ? '' : '?' + query);
  r.internalRedirect(r.variables.fairgate_then);
}

async function handle(r) {
  const result = await passed(r);
  if (result !== null) {
    goOn(r, result, result.headers['x-fairgate-edge']);
  }
}

async function screen(r) {
  const result = await passed(r);
  if (result !== null) {
    goOn(r, result);
  }
}

export default { handle: handle, screen: screen };
