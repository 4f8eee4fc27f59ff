"use strict";
/*
 * Graphs that are worth a look; the first greets who comes without one.
 */

/** @typedef {{key: string, text: string, chapter: string}} Example */

/** @type {readonly Example[]} */
const EXAMPLES = [
  { key: "branches", chapter: "small", text: "a = 2\nb = 3\nc = 4\n\nab = a*b\ne = ab + c\nf = a - c\nL = e*f" },
  { key: "diamond", chapter: "small", text: "a = 2\nb = -3\n\nc = a*b\nd = a + b\ne = c + d" },
  { key: "twice", chapter: "small", text: "a = 3\n\nL = a + a" },
  { key: "product", chapter: "small", text: "x = 3\ny = 5\n\nz = x*y" },
  { key: "shared", chapter: "small", text: "a = 2\nb = 3\nc = 4\n\nL = (a*b + c) * (a + b)" },
  { key: "relu", chapter: "small", text: "a = 2\nb = -3\nd = 10\n\nc = a*b\ne = c + d\nf = relu(e)" },
  { key: "kink", chapter: "functions", text: "x = 0.5\n\ny = where(x > 0, x**2, -x)\nL = abs(y - 1) + maximum(x, 0.2)" },
  { key: "sigmoid", chapter: "functions", text: "x = 1.5\n\nn = -x\ne = exp(n)\ns = 1 + e\ny = 1 / s" },
  { key: "softmax", chapter: "functions", text: "# the loss of a classifier: class 0 is right\nx0 = 2\nx1 = 1\nx2 = -1\n\nL = cross_entropy(0, x0, x1, x2)" },
  { key: "neuron", chapter: "networks", text: "# one neuron: two inputs, two weights, a bias\nx1 = 2\nx2 = 0\nw1 = -3\nw2 = 1\nb = 6.8813735870195432\n\nn = x1*w1 + x2*w2 + b\no = tanh(n)" },
  { key: "fit", chapter: "networks", text: "# a line through two points, and how far it misses them\nw = 0.5\nb = 0\n\np1 = w*1 + b\np2 = w*2 + b\nL = (p1 - 2)**2 + (p2 - 3)**2" },
  {
    key: "mlp",
    chapter: "networks",
    text:
      "# two inputs, two hidden neurons, one output\nx1 = 1\nx2 = -2\n\nw11 = 0.5\nw12 = -0.3\nb1 = 0.1\nw21 = -0.8\nw22 = 0.2\nb2 = 0\nv1 = 0.7\nv2 = -1.1\nc = 0.05\n\n" +
      "h1 = tanh(w11*x1 + w12*x2 + b1)\nh2 = tanh(w21*x1 + w22*x2 + b2)\no = v1*h1 + v2*h2 + c\nL = (o - 1)**2",
  },
];

/** The menu of examples, in the language that is spoken. @param {HTMLSelectElement} menu */
function fillExamples(menu) {
  const chapters = [...new Set(EXAMPLES.map((example) => example.chapter))];
  menu.replaceChildren(
    build("option", { value: "" }, say("studio.examples")),
    ...chapters.map((chapter) =>
      build(
        "optgroup",
        { label: say(`studio.examples.${chapter}`) },
        ...EXAMPLES.filter((example) => example.chapter === chapter).map((example) => build("option", { value: example.key }, say(`studio.example.${example.key}`))),
      ),
    ),
  );
}
