import { Argument, type Command } from 'commander';
import { buildFilesPath, loadConfig } from '../../config';
import { explainS3Problem } from '../../boot/storage';
import { createLocalDisk } from '../../platform/storage/local-disk';
import { moveFiles } from '../../platform/storage/move-files';
import { checkBucket, createS3Bucket } from '../../platform/storage/s3-bucket';
import { describeS3Address } from '../../platform/storage/s3-url';
import { addCommand, type Cli, type Io, type Report } from '../cli';
import { CommandRefused } from '../failures';

type Target = 'bucket' | 'disk';

/** Adds `store files`, which moves the files between DATA_DIR and the bucket of STORAGE_URL. */
export function addFiles(program: Command, cli: Cli): void {
  const files = program.command('files').description('Move images, documents and imports between storages.');
  addCommand(files, 'move', {
    summary: 'Copy all files from DATA_DIR to the bucket of STORAGE_URL, or back',
    about:
      'Reads every copy back and compares its digest. The store may be running. Safe to repeat: only missing files are copied. Run it before the store uses the other storage, and again afterwards.',
  })
    .addArgument(new Argument('<to>', 'where the files go').choices(['bucket', 'disk']))
    .option('--delete', 'delete each file once its copy is verified; the store must use the copies already')
    .action((to: Target, options: { json?: boolean; delete?: boolean }) =>
      cli.run(options, () => move(cli.io, to, options.delete === true)),
    );
}

async function move(io: Io, to: Target, removes: boolean): Promise<Report> {
  const config = loadConfig(io.env);
  if (config.storage === null)
    throw new CommandRefused('STORAGE_URL is not set; set it to the bucket and retry');
  const problem = await checkBucket(config.storage);
  if (problem !== null) {
    const { message, advice } = explainS3Problem(config.storage, problem);
    throw new CommandRefused(`${message}; ${advice}`);
  }
  const disk = createLocalDisk(buildFilesPath(config));
  const bucket = createS3Bucket(config.storage);
  const moved =
    to === 'bucket' ? await moveFiles(disk, bucket, { removes }) : await moveFiles(bucket, disk, { removes });
  const { copied, unchanged, removed, bytes } = moved;
  const place = to === 'bucket' ? describeS3Address(config.storage) : buildFilesPath(config);
  const lines = [
    `Copied and verified ${copied} files (${Math.ceil(bytes / 1024 / 1024)} MiB) to ${place}; ${unchanged} were there already.`,
    ...(removes ? [`Deleted ${removed} originals.`] : []),
  ];
  return { json: { to: place, ...moved }, text: lines.join('\n') };
}
