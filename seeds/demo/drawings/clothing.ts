import type { Palette } from './colors';
import { box, circle, clipped, group, line, oval, path, repeated } from './shapes';

const TEE =
  'M300 190 C340 232 460 232 500 190 L572 214 L690 330 L612 404 L560 356 L560 640 Q400 662 240 640 L240 356 L188 404 L110 330 L228 214 Z';

export function tee(tone: Palette): string {
  return (
    path(TEE, tone.main) +
    clipped('tee', TEE, path('M480 180 L720 180 L720 680 L520 680 Q566 430 480 180 Z', tone.dark, 0.35)) +
    line('M300 190 C340 232 460 232 500 190', { color: tone.dark, width: 14 }) +
    line('M240 356 L236 300 M560 356 L564 300', { color: tone.darker, width: 4, opacity: 0.5 }) +
    line('M242 620 Q400 642 558 620', { color: tone.dark, width: 3, dashes: '9 7' })
  );
}

export function stripedTee(tone: Palette): string {
  const stripes = repeated(9, (index) => box([100, 262 + index * 40, 600, 15], tone.lighter));
  return tee(tone) + clipped('stripes', TEE, stripes);
}

export function pocketTee(tone: Palette): string {
  return tee(tone) + path('M440 318 h84 v76 l-42 24 l-42 -24 Z', tone.light) + pocketSeam(tone.darker);
}

function pocketSeam(color: string): string {
  return line('M440 334 h84 M440 318 v76 l42 24 l42 -24 v-76 Z', { color, width: 3, opacity: 0.6 });
}

const BODY =
  'M288 236 L214 262 L116 560 L190 600 L250 430 L250 650 L550 650 L550 430 L610 600 L684 560 L586 262 L512 236 Z';

export function hoodie(tone: Palette): string {
  return (
    path(BODY, tone.main) +
    clipped('hoodie', BODY, path('M500 220 H720 V680 H516 Q560 420 500 220 Z', tone.dark, 0.35)) +
    path(
      'M282 250 C262 150 346 118 400 118 C454 118 538 150 518 250 C486 296 314 296 282 250 Z',
      tone.light,
    ) +
    path(
      'M322 236 C312 178 360 158 400 158 C440 158 488 178 478 236 C452 268 348 268 322 236 Z',
      tone.darker,
    ) +
    line('M364 268 V352 M436 268 V336', { color: tone.lighter, width: 8 }) +
    path('M304 470 H496 L530 582 H270 Z', tone.light) +
    line('M304 470 L270 582 M496 470 L530 582', { color: tone.darker, width: 4, opacity: 0.6 }) +
    box([250, 626, 300, 34], tone.dark, 10)
  );
}

export function zipHoodie(tone: Palette): string {
  const teeth = line('M400 264 V656', { color: tone.lighter, width: 9, dashes: '3 8' });
  return (
    hoodie(tone) +
    line('M400 264 V656', { color: tone.darker, width: 16 }) +
    teeth +
    box([392, 296, 16, 40], tone.lighter, 6)
  );
}

export function sweater(tone: Palette): string {
  const ribs = repeated(15, (index) =>
    line(`M${264 + index * 20} 622 v36`, { color: tone.darker, width: 4, opacity: 0.45 }),
  );
  const knit = repeated(7, (row) =>
    line(`M256 ${330 + row * 40} ${'q12 14 24 0 '.repeat(12)}`, { color: tone.dark, width: 5, opacity: 0.5 }),
  );
  return (
    path(BODY, tone.main) +
    clipped('knit', BODY, knit) +
    clipped('sweater', BODY, path('M510 220 H720 V680 H522 Q562 420 510 220 Z', tone.dark, 0.35)) +
    oval([400, 240, 114, 40], tone.dark) +
    oval([400, 234, 84, 26], tone.darker) +
    box([250, 616, 300, 44], tone.dark, 12) +
    ribs
  );
}

export function jacket(tone: Palette): string {
  const pocket =
    path('M0 0 h86 v92 q-43 14 -86 0 Z', tone.light) + path('M-4 -6 h94 v30 q-47 16 -94 0 Z', tone.dark);
  return (
    path(BODY, tone.main) +
    clipped('jacket', BODY, path('M404 220 H720 V680 H404 Z', tone.dark, 0.3)) +
    path('M286 250 C276 168 346 140 400 140 C454 140 524 168 514 250 L400 300 Z', tone.dark) +
    path('M330 232 C330 190 366 178 400 178 C434 178 470 190 470 232 L400 268 Z', tone.darker) +
    line('M400 268 V648', { color: tone.darker, width: 8 }) +
    repeated(5, (index) => circle(418, 316 + index * 74, 8, tone.lighter)) +
    group('translate(284 500)', pocket) +
    group('translate(432 500)', pocket)
  );
}

export function beanie(tone: Palette): string {
  const ribs = repeated(11, (index) =>
    line(`M${212 + index * 38} 512 v104`, { color: tone.darker, width: 6, opacity: 0.4 }),
  );
  const crown = 'M212 520 C196 300 300 214 400 214 C500 214 604 300 588 520 Z';
  const folds = repeated(6, (index) =>
    line(`M400 214 Q${230 + index * 68} 330 ${228 + index * 69} 520`, {
      color: tone.dark,
      width: 6,
      opacity: 0.55,
    }),
  );
  return (
    path(crown, tone.main) +
    clipped('crown', crown, folds) +
    circle(400, 196, 46, tone.light) +
    box([190, 496, 420, 132], tone.light, 34) +
    ribs
  );
}

export function cap(tone: Palette): string {
  const crown = 'M190 500 C186 320 290 236 410 236 C530 236 600 330 598 490 Q400 540 190 500 Z';
  return (
    path(crown, tone.main) +
    clipped('cap', crown, path('M470 200 H640 V560 H500 Q560 380 470 200 Z', tone.dark, 0.4)) +
    line('M410 236 Q320 340 322 508 M410 236 Q500 340 490 512', {
      color: tone.darker,
      width: 4,
      opacity: 0.5,
    }) +
    path('M186 494 Q150 560 92 596 Q260 640 470 556 Q560 520 598 486 Q400 536 186 494 Z', tone.dark) +
    line('M120 588 Q270 616 460 540', { color: tone.lighter, width: 3, opacity: 0.6, dashes: '9 7' }) +
    oval([410, 236, 18, 10], tone.darker) +
    circle(330, 360, 8, tone.darker) +
    circle(480, 360, 8, tone.darker)
  );
}

export function socks(tone: Palette): string {
  const outline =
    'M0 0 H120 V270 Q124 318 176 352 L250 400 Q282 428 262 462 Q240 492 196 480 L52 420 Q0 396 0 330 Z';
  const sock =
    path(outline, tone.main) +
    clipped(
      'sock',
      outline,
      box([0, 86, 130, 22], tone.lighter) +
        box([0, 128, 130, 22], tone.lighter) +
        circle(264, 452, 74, tone.dark),
    ) +
    box([-6, -14, 132, 66], tone.dark, 14) +
    path('M0 300 Q60 330 46 416 Q0 392 0 330 Z', tone.dark);
  return group('translate(330 170) rotate(4)', sock) + group('translate(204 196) rotate(-3)', sock);
}

export function scarf(tone: Palette): string {
  const fringe = (x: number, y: number) =>
    repeated(8, (index) => line(`M${x + index * 17} ${y} v48`, { color: tone.dark, width: 7 }));
  const bands = (x: number, y: number) =>
    box([x, y, 136, 20], tone.lighter) + box([x, y + 36, 136, 20], tone.lighter);
  return (
    box([420, 330, 136, 300], tone.dark, 8) +
    bands(420, 540) +
    fringe(428, 634) +
    path('M214 330 Q206 176 400 176 Q594 176 586 330 Q580 430 400 430 Q220 430 214 330 Z', tone.main) +
    path('M284 306 Q300 232 400 232 Q500 232 516 306 Q480 356 400 356 Q320 356 284 306 Z', tone.darker) +
    line('M232 356 Q300 408 400 404 Q500 408 568 356', { color: tone.dark, width: 8, opacity: 0.6 }) +
    box([262, 360, 136, 262], tone.main, 8) +
    bands(262, 520) +
    fringe(270, 626)
  );
}
