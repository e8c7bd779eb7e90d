import { expect, it } from 'vitest';
import sheet from '../../styles/tokens.css?raw';

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/**
 * How colours are seen by people who lack one kind of cones, in linear RGB. Source: Machado, Oliveira and Fernandes,
 * "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), table for severity 1.
 */
const eyes: Readonly<Record<string, Matrix>> = {
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const times = (matrix: Matrix, [x, y, z]: Triple): Triple => {
  const row = ([a, b, c]: Triple): number => a * x + b * y + c * z;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
};
const each = ([x, y, z]: Triple, change: (value: number) => number): Triple => [
  change(x),
  change(y),
  change(z),
];

const linear = (hex: string): Triple => {
  const at = (place: number): number => Number.parseInt(hex.slice(place, place + 2), 16) / 255;
  return each([at(1), at(3), at(5)], (part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  );
};

/** A space where distances are as people see them. Source: Björn Ottosson, "A perceptual color space" (2020). */
const oklab = (rgb: Triple): Triple => {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    each(rgb, (part) => Math.min(1, Math.max(0, part))),
  );
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    each(cones, Math.cbrt),
  );
};

const distance = (one: Triple, other: Triple): number =>
  Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);

/** Six times what is just seen beside one another: told apart also in a legend some way off. */
const APART = 0.09;

const all = [...sheet.matchAll(/--chart-(\w+): (#[0-9a-f]{6});/g)].map(([, name = '', hex = '']) => ({
  name,
  hex,
}));
const themes = { light: all.slice(0, 9), dark: all.slice(9) };

it.each(Object.entries(themes))('the %s theme has eight colours and one for the rest', (_, colours) => {
  expect(colours.map(({ name }) => name)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', 'rest']);
});

it.each(
  Object.entries(themes).flatMap(([theme, colours]) =>
    ['all cones', ...Object.keys(eyes)].map((eye) => [theme, eye, colours] as const),
  ),
)('in the %s theme every two colours are apart for eyes with %s', (_, eye, colours) => {
  const matrix = eyes[eye];
  const seen = colours.map(({ name, hex }) => {
    const rgb = linear(hex);
    return { name, colour: oklab(matrix === undefined ? rgb : times(matrix, rgb)) };
  });
  const near = seen.flatMap((one, at) =>
    seen
      .slice(at + 1)
      .filter((other) => distance(one.colour, other.colour) < APART)
      .map((other) => `${one.name} and ${other.name}`),
  );
  expect(near).toEqual([]);
});
