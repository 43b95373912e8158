// nginx's own least: a virtual machine per request, and neither CloudFront's event nor a function.

function handle(r) {
  r.return(200, '');
}

export default { handle: handle };
