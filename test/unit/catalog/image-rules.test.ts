import { buildImageFileName } from '../../../src/catalog/images/image-file-name';
import { placeImage } from '../../../src/catalog/images/image-order';

describe('buildImageFileName', () => {
  test.each([
    ['front.png', 'front.png'],
    ['front view.png', 'front_view.png'],
    ['a-b_c.1.JPG', 'a-b_c.1.JPG'],
    ['/var/www/a.png', 'a.png'],
    ['..\\..\\a.png', 'a.png'],
    ['a%2f..?#&.png', 'a_2f..___.png'],
    ['çédille.png', '__dille.png'],
    ['😀.png', '_.png'],
    ['blob', 'blob'],
    ['', 'image.png'],
    ['.', 'image.png'],
    ['..', 'image.png'],
    ['...', 'image.png'],
    ['folder/', 'image.png'],
  ])('%p becomes %p', (original, kept) => {
    expect(buildImageFileName(original, 'image/png')).toBe(kept);
  });

  test('a name without letters gets the extension of its type', () => {
    expect(buildImageFileName('..', 'image/jpeg')).toBe('image.jpg');
    expect(buildImageFileName('..', 'image/gif')).toBe('image.gif');
  });

  test('a long name keeps its extension', () => {
    const kept = buildImageFileName(`${'x'.repeat(1000)}.png`, 'image/png');
    expect(kept).toHaveLength(200);
    expect(kept.endsWith('x.png')).toBe(true);
  });
});

describe('placeImage', () => {
  test.each<[number | null, number[]]>([
    [1, [9, 1, 2, 3]],
    [2, [1, 9, 2, 3]],
    [4, [1, 2, 3, 9]],
    [100, [1, 2, 3, 9]],
    [null, [1, 2, 3, 9]],
  ])('position %p among three others', (position, order) => {
    expect(placeImage([1, 2, 3], 9, position)).toEqual(order);
  });

  test('the only image is the first', () => {
    expect(placeImage([], 9, 5)).toEqual([9]);
  });
});
