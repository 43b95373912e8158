// All seats in one instanced draw of WebGL2. The renderer of canvas.js does the same without it.

const VERTEX = `#version 300 es
layout(location = 0) in vec2 at;
layout(location = 1) in vec3 cell;
layout(location = 2) in uvec4 look;
uniform vec3 view;
uniform vec2 size;
uniform float near;
uniform float ratio;
uniform vec3 tiers[8];
uniform vec3 inks[4];
flat out vec3 fill;
flat out vec2 extent;
flat out float corner;
flat out uvec2 kind;
out vec2 local;
void main() {
  float pitch = cell.y * view.x;
  bool own = look.y >= 2u;
  bool open = look.y == 0u;
  float seat = pitch * (own ? 0.47 : open ? 0.4 : 0.2);
  vec2 band = cell.yz * view.x * 0.53;
  extent = mix(band, vec2(seat), near);
  corner = near * (look.w > 0u && open ? extent.y * 0.4 : min(extent.x, extent.y));
  bool lit = near < 0.5 ? look.z > 0u : open;
  fill = own ? inks[2] : lit ? tiers[look.x] : inks[0];
  kind = uvec2(own && near > 0.5 ? 2u : lit ? 1u : 0u, look.z);
  vec2 unit = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  local = unit * (extent + ratio);
  vec2 turn = vec2(cos(cell.x), sin(cell.x)) ;
  if (own) turn = mix(turn, vec2(1.0, 0.0), near);
  vec2 spot = at * view.x + view.yz + vec2(local.x * turn.x - local.y * turn.y, local.x * turn.y + local.y * turn.x);
  vec2 clip = spot / size * 2.0 - 1.0;
  gl_Position = vec4(clip.x, -clip.y, 0.0, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
uniform float near;
uniform float ratio;
uniform vec3 inks[4];
flat in vec3 fill;
flat in vec2 extent;
flat in float corner;
flat in uvec2 kind;
in vec2 local;
out vec4 color;
float toLine(vec2 p, vec2 a, vec2 b) {
  vec2 along = b - a;
  return length(p - a - along * clamp(dot(p - a, along) / dot(along, along), 0.0, 1.0));
}
void main() {
  vec2 q = abs(local) - extent + corner;
  float edge = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - corner;
  float cover = clamp(0.5 - edge, 0.0, 1.0);
  vec3 paint = fill;
  if (kind.x == 2u) {
    float r = extent.x;
    float ring = r * 0.13;
    if (edge > -2.1 * ring && edge < -ring) paint = inks[3];
    vec2 p = local / r;
    float tick = min(toLine(p, vec2(-0.36, 0.04), vec2(-0.1, 0.3)), toLine(p, vec2(-0.1, 0.3), vec2(0.38, -0.28)));
    paint = mix(paint, inks[3], 1.0 - smoothstep(0.07, 0.07 + 1.5 / r, tick));
  } else if (kind.x == 1u && near > 0.5) {
    float rim = clamp(extent.x * 0.14, 0.55 * ratio, 1.3 * ratio);
    paint = mix(paint, inks[1], 0.6 * clamp(edge + rim + 0.5, 0.0, 1.0));
  } else if (kind.x == 1u && kind.y == 1u && near < 0.5) {
    float stripe = mod(gl_FragCoord.x + gl_FragCoord.y, 6.0 * ratio);
    if (stripe > 3.0 * ratio) paint = inks[0];
  }
  color = vec4(paint * cover, cover);
}`;

function compile(gl, kind, source) {
  const shader = gl.createShader(kind);
  gl.shaderSource(shader, source);
  gl.compileShader(shader);
  return shader;
}

export class GlRenderer {
  /** `redraw` is called when a lost context is back. Throws where there is no WebGL2. */
  constructor(canvas, scene, redraw) {
    Object.assign(this, { canvas, scene });
    this.gl = canvas.getContext('webgl2', { antialias: false, alpha: true, premultipliedAlpha: true });
    if (!this.gl) throw new TypeError('no WebGL2');
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault(); // else it never comes back
      this.ready = false;
    });
    canvas.addEventListener('webglcontextrestored', () => {
      this.start();
      redraw();
    });
    this.start();
  }

  start() {
    const { gl } = this;
    const program = gl.createProgram();
    gl.attachShader(program, compile(gl, gl.VERTEX_SHADER, VERTEX));
    gl.attachShader(program, compile(gl, gl.FRAGMENT_SHADER, FRAGMENT));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new TypeError(gl.getProgramInfoLog(program));
    }
    gl.useProgram(program);
    const names = ['view', 'size', 'near', 'ratio', 'tiers', 'inks'];
    this.uniforms = Object.fromEntries(names.map((name) => [name, gl.getUniformLocation(program, name)]));
    const { x, y, cell, count, looks } = this.scene;
    const places = new Float32Array(count * 5);
    for (let i = 0; i < count; i++) {
      places[5 * i] = x[i];
      places[5 * i + 1] = y[i];
      places.set(cell.subarray(3 * i, 3 * i + 3), 5 * i + 2);
    }
    this.places = this.buffer(places, gl.STATIC_DRAW);
    this.looks = this.buffer(looks, gl.DYNAMIC_DRAW);
    for (const at of [0, 1, 2]) {
      gl.enableVertexAttribArray(at);
      gl.vertexAttribDivisor(at, 1);
    }
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.colours = null;
    this.ready = true;
  }

  buffer(data, use) {
    const { gl } = this;
    const made = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, made);
    gl.bufferData(gl.ARRAY_BUFFER, data, use);
    return made;
  }

  /** Draws the seats from index `from` to `to`; `near`: 0 for bands of price, 1 for seats. */
  draw({ scale, x, y }, { from, to, near, ratio, colours, dirty }) {
    const { gl, canvas, uniforms } = this;
    if (!this.ready || gl.isContextLost()) return;
    if (dirty) {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.looks);
      gl.bufferSubData(gl.ARRAY_BUFFER, dirty.from * 4, this.scene.looks.subarray(dirty.from * 4, dirty.to * 4));
    }
    if (colours !== this.colours) {
      this.colours = colours;
      gl.uniform3fv(uniforms.tiers, colours.tiers.flat());
      gl.uniform3fv(uniforms.inks, [colours.taken, colours.rim, colours.yours, colours.onYours].flat());
    }
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (to <= from) return;
    gl.uniform3f(uniforms.view, scale * ratio, x * ratio, y * ratio);
    gl.uniform2f(uniforms.size, canvas.width, canvas.height);
    gl.uniform1f(uniforms.near, near);
    gl.uniform1f(uniforms.ratio, ratio);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.places);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 20, from * 20);
    gl.vertexAttribPointer(1, 3, gl.FLOAT, false, 20, from * 20 + 8);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.looks);
    gl.vertexAttribIPointer(2, 4, gl.UNSIGNED_BYTE, 4, from * 4);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, to - from);
  }

  close() {
    this.gl.getExtension('WEBGL_lose_context')?.loseContext();
  }
}
