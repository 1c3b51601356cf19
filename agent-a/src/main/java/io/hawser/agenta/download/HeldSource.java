package io.hawser.agenta.download;

import io.hawser.core.hop.Outcome;

/**
 * A source that several windows read, one after the other or at a time: it stays readable until its holder lets go of it.
 *
 * <p>Thread: the loop.
 */
final class HeldSource implements VersionedSource {
    private final VersionedSource source;

    /** Holds {@code source}, which nobody has opened. */
    HeldSource(VersionedSource source) {
        this.source = source;
        source.opened();
    }

    /** Nothing more is asked. */
    void letGo() {
        source.closed();
    }

    @Override
    public long sizeBytes() {
        return source.sizeBytes();
    }

    @Override
    public String version() {
        return source.version();
    }

    @Override
    public int blockSizeBytes() {
        return source.blockSizeBytes();
    }

    @Override
    public ReadBudget budget() {
        return source.budget();
    }

    @Override
    public Runnable ask(long offset, int length, Outcome.Callback<FileChunk> done) {
        return source.ask(offset, length, done);
    }

    @Override
    public void paused() {
        source.paused();
    }
}
