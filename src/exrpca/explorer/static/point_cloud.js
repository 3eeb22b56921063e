// All senses as points, drawn by deck.gl (WebGL): zoom, pan, fly to a point.

import { Deck, LinearInterpolator, OrthographicView, ScatterplotLayer } from "./vendor/deck.js";

const CLOSEST = 6; // zoom levels beyond the whole map
const CLOSE = 4;
const ROOM = 0.7; // the share of the picture that the places flown to take

// `cloud` has `positions` (x, y, z per point) and `colors` (RGBA per point); `onMove` is called
// after every movement, `onClick` and `onHover` with the number of a point.
export class PointCloud {
  constructor(parent, cloud, { size, onMove, onClick, onHover }) {
    this.parent = parent;
    this.data = asData(cloud);
    this.onMove = onMove;
    const { clientWidth: width, clientHeight: height } = parent;
    const whole = Math.log2((0.94 * Math.min(width, height)) / size);
    this.whole = { target: [size / 2, size / 2, 0], zoom: whole };
    this.view = { ...this.whole, minZoom: whole - 1, maxZoom: whole + CLOSEST };
    this.deck = new Deck({
      parent,
      views: new OrthographicView({ flipY: false }),
      viewState: this.view,
      controller: { doubleClickZoom: true, inertia: false },
      onViewStateChange: ({ viewState }) => this.look(viewState),
      onLoad: onMove,
      layers: [this.layer()],
      getCursor: ({ isHovering }) => (isHovering ? "pointer" : "grab"),
      onClick: ({ index }) => index >= 0 && onClick(index),
      onHover: ({ index }) => onHover(index),
    });
  }

  viewport() {
    return this.deck.isInitialized ? this.deck.getViewports()[0] : null;
  }

  layer() {
    return new ScatterplotLayer({
      id: "senses",
      data: this.data,
      radiusUnits: "pixels",
      getRadius: 1.6 + Math.max(0, this.view.zoom - this.whole.zoom) * 0.7,
      pickable: true,
      autoHighlight: true,
      highlightColor: [128, 128, 128, 220],
    });
  }

  look(view) {
    this.view = view;
    this.onMove();
    this.deck.setProps({ viewState: view, layers: [this.layer()] });
  }

  // Flies to where all of some places are in view, but not closer than names can be read.
  flyTo(places) {
    const [xs, ys] = [0, 1].map((axis) => places.map((place) => place[axis]));
    const middle = (values) => (Math.min(...values) + Math.max(...values)) / 2;
    const extent = (values) => Math.max(...values) - Math.min(...values);
    const { clientWidth: width, clientHeight: height } = this.parent;
    const fitting = Math.log2(
      ROOM * Math.min(width / (extent(xs) || 1), height / (extent(ys) || 1)),
    );
    this.look({
      ...this.view,
      target: [middle(xs), middle(ys), 0],
      zoom: Math.min(fitting, this.whole.zoom + CLOSE),
      transitionDuration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 900,
      transitionInterpolator: new LinearInterpolator(["target", "zoom"]),
    });
  }

  // Shows the cloud after its positions or colors have changed.
  redraw(cloud) {
    this.onMove();
    this.data = asData(cloud);
    this.deck.setProps({ layers: [this.layer()] });
  }

  close() {
    this.deck.finalize();
  }
}

// Numbers for the graphics card. They are sent again only when this is another object, so a movement
// must not make a new one.
const asData = ({ positions, colors }) => ({
  length: positions.length / 3,
  attributes: {
    getPosition: { value: positions.slice(), size: 3 },
    getFillColor: { value: colors.slice(), size: 4, normalized: true },
  },
});
