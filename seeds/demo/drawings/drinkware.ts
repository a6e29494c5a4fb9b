import type { Palette } from './colors';
import { box, circle, clipped, group, line, oval, path, repeated } from './shapes';

const MUG = 'M230 270 H530 V560 Q530 620 470 620 H290 Q230 620 230 560 Z';

export function mug(tone: Palette): string {
  return (
    line('M530 344 Q650 330 640 440 Q630 540 526 536', { color: tone.dark, width: 40 }) +
    path(MUG, tone.main) +
    clipped(
      'mug',
      MUG,
      path('M446 260 H540 V640 H430 Q480 440 446 260 Z', tone.dark, 0.45) +
        box([226, 540, 320, 90], tone.lighter),
    ) +
    line('M268 330 V500', { color: tone.lighter, width: 16, opacity: 0.55 }) +
    oval([380, 270, 150, 34], tone.light) +
    oval([380, 274, 130, 24], '#4a3328')
  );
}

export function enamelMug(tone: Palette): string {
  const body = 'M236 300 H524 L512 600 Q510 622 488 622 H272 Q250 622 248 600 Z';
  const specks = repeated(26, (index) =>
    circle(252 + ((index * 137) % 256), 346 + ((index * index * 31) % 262), 3 + (index % 3), tone.lighter),
  );
  return (
    line('M522 360 Q626 356 618 450 Q612 524 516 530', { color: tone.darker, width: 26 }) +
    path(body, tone.main) +
    clipped('enamel', body, specks + path('M450 280 H540 V640 H430 Q480 460 450 280 Z', tone.dark, 0.35)) +
    oval([380, 300, 148, 30], tone.darker) +
    oval([380, 302, 134, 23], '#f4f1ea')
  );
}

export function espressoSet(tone: Palette): string {
  const cup =
    line('M88 20 Q140 14 134 58 Q128 92 80 92', { color: tone.dark, width: 18 }) +
    oval([10, 142, 130, 26], tone.light) +
    oval([10, 136, 92, 15], tone.dark) +
    path('M-70 0 H90 Q92 132 36 138 H-16 Q-72 132 -70 0 Z', tone.main) +
    path('M40 0 H90 Q92 132 36 138 Q64 70 40 0 Z', tone.dark, 0.45) +
    oval([10, 0, 80, 18], tone.lighter) +
    oval([10, 3, 66, 12], '#4a3328');
  return (
    group('translate(290 272)', cup) +
    group('translate(510 272)', cup) +
    group('translate(396 462) scale(1.14)', cup)
  );
}

export function bottle(tone: Palette): string {
  const body =
    'M330 262 Q330 232 352 222 V190 H448 V222 Q470 232 470 262 V630 Q470 662 438 662 H362 Q330 662 330 630 Z';
  return (
    path(body, tone.main) +
    clipped(
      'bottle',
      body,
      path('M424 180 H480 V680 H416 Q444 420 424 180 Z', tone.dark, 0.5) +
        box([320, 596, 160, 80], tone.dark),
    ) +
    box([344, 132, 112, 66], tone.darker, 14) +
    line('M366 132 Q400 78 434 132', { color: tone.darker, width: 16 }) +
    line('M356 276 V560', { color: tone.lighter, width: 14, opacity: 0.6 }) +
    circle(400, 420, 30, tone.lighter) +
    path('M382 434 L400 400 L418 434 Z', tone.dark)
  );
}

export function tumbler(tone: Palette): string {
  const body = 'M300 220 H500 L474 640 Q472 664 446 664 H354 Q328 664 326 640 Z';
  return (
    line('M452 208 L486 86', { color: '#d9dde0', width: 14 }) +
    path(body, tone.main) +
    clipped(
      'tumbler',
      body,
      path('M440 210 H520 V680 H418 Q456 440 440 210 Z', tone.dark, 0.45) +
        box([290, 430, 230, 96], tone.dark),
    ) +
    box([286, 186, 228, 44], tone.darker, 18) +
    line('M332 262 L344 600', { color: tone.lighter, width: 14, opacity: 0.5 })
  );
}

export function teapot(tone: Palette): string {
  const belly =
    'M214 450 C214 330 306 292 400 292 C494 292 586 330 586 450 C586 566 500 610 400 610 C300 610 214 566 214 450 Z';
  const ribs = repeated(9, (index) =>
    line(`M400 292 Q${224 + index * 44} 440 ${256 + index * 36} 606`, {
      color: tone.darker,
      width: 5,
      opacity: 0.35,
    }),
  );
  return (
    line('M270 310 C270 130 530 130 530 310', { color: tone.darker, width: 20 }) +
    path('M566 420 Q640 400 656 316 L700 330 Q690 486 572 520 Z', tone.dark) +
    path(belly, tone.main) +
    clipped('teapot', belly, ribs + path('M470 280 H600 V620 H450 Q560 450 470 280 Z', tone.dark, 0.5)) +
    oval([400, 302, 104, 22], tone.dark) +
    path('M306 298 Q320 258 400 256 Q480 258 494 298 Q400 318 306 298 Z', tone.light) +
    circle(400, 246, 20, tone.darker)
  );
}

export function pourOver(tone: Palette): string {
  return (
    path('M304 420 H496 L560 600 Q566 650 516 650 H284 Q234 650 240 600 Z', '#dfe9ec', 0.92) +
    path('M262 540 H538 L560 600 Q566 650 516 650 H284 Q234 650 240 600 Z', '#5a3b2a', 0.9) +
    path('M282 216 H518 L446 392 H354 Z', tone.main) +
    path('M450 216 H518 L446 392 H410 Z', tone.dark, 0.5) +
    repeated(5, (index) =>
      line(`M${312 + index * 44} 226 L${366 + index * 17} 386`, { color: tone.dark, width: 4, opacity: 0.5 }),
    ) +
    path('M296 176 H504 L488 220 H312 Z', '#f5efe2') +
    box([318, 388, 164, 34], '#8a5d3b', 12) +
    line('M520 258 Q604 262 592 322 Q580 366 500 350', { color: tone.dark, width: 20 }) +
    line('M276 560 L262 606', { color: '#ffffff', width: 10, opacity: 0.6 })
  );
}
