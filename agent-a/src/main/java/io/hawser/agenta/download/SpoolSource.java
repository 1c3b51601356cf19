package io.hawser.agenta.download;

import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferSnapshot;

/**
 * The copy of a file that the spool holds, while it is on its way.
 *
 * <p>Thread: the loop.
 */
final class SpoolSource implements VersionedSource {
    private final Spool spool;
    private final ReadBudget budget;
    private final TransferSnapshot file;
    private Runnable unpin = () -> {};

    /** A source over a complete transfer whose content is kept. */
    public SpoolSource(Spool spool, ReadBudget budget, TransferSnapshot file) {
        this.spool = spool;
        this.budget = budget;
        this.file = file;
    }

    @Override
    public long sizeBytes() {
        return file.sizeBytes();
    }

    @Override
    public String version() {
        return file.key().toString();
    }

    @Override
    public int blockSizeBytes() {
        return file.manifest().fragmentSizeBytes();
    }

    @Override
    public ReadBudget budget() {
        return budget;
    }

    @Override
    public Runnable ask(long offset, int length, Outcome.Callback<FileChunk> done) {
        Question question = new Question(offset, length, done);
        spool.load(file.key(), offset / blockSizeBytes(), question::loaded);
        return () -> question.wanted = false;
    }

    @Override
    public void opened() {
        unpin = spool.pin(file.key());
    }

    @Override
    public void closed() {
        unpin.run();
    }

    /** The spool cannot be told that a fragment is no longer wanted, so it is given back when it comes. */
    private final class Question {
        private final long offset;
        private final int length;
        private final Outcome.Callback<FileChunk> done;
        private boolean wanted = true;

        private Question(long offset, int length, Outcome.Callback<FileChunk> done) {
            this.offset = offset;
            this.length = length;
            this.done = done;
        }

        private void loaded(Outcome<Fragment> outcome) {
            Refusal refusal = outcome.refusal();
            if (refusal != null) {
                if (wanted) {
                    done.accept(new Outcome<>(null, refusal));
                }
                return;
            }
            Fragment fragment = outcome.get();
            if (!wanted) {
                fragment.buffer().release();
                return;
            }
            int skipped = (int) (offset % blockSizeBytes());
            done.accept(Outcome.of(FileChunk.of(offset, length, fragment.buffer(), fragment.offset() + skipped)));
        }
    }
}
