package io.hawser.agenta.download;

import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.remote.RemoteBlock;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFiles;
import java.time.Duration;

/**
 * A file at the far edge, bound to one version by its fingerprint. A crash of the broker or the far edge makes an answer late: the
 * question is asked again by {@link RemoteFiles}.
 *
 * <p>Thread: the loop.
 */
public final class RemoteSource implements BlockSource {
    private final RemoteFiles files;
    private final ReadBudget budget;
    private final Place place;
    private final String renamed;
    private final RemoteFile version;
    private final int blockSizeBytes;
    private final Duration patience;

    /**
     * A source.
     *
     * @param place where it is
     * @param renamed its name when the renames that are on their way there have been made; usually the same
     * @param version what is read
     * @param blockSizeBytes at most the fragment size
     * @param patience how long one question may take
     */
    public RemoteSource(
            RemoteFiles files,
            ReadBudget budget,
            Place place,
            String renamed,
            RemoteFile version,
            int blockSizeBytes,
            Duration patience) {
        this.files = files;
        this.budget = budget;
        this.place = place;
        this.renamed = renamed;
        this.version = version;
        this.blockSizeBytes = blockSizeBytes;
        this.patience = patience;
    }

    @Override
    public long sizeBytes() {
        return version.sizeBytes();
    }

    @Override
    public int blockSizeBytes() {
        return blockSizeBytes;
    }

    @Override
    public ReadBudget budget() {
        return budget;
    }

    @Override
    public Runnable ask(long offset, int length, Outcome.Callback<Block> done) {
        RemoteFiles.Call[] call = new RemoteFiles.Call[1];
        call[0] = read(place.name(), offset, length, outcome -> {
            Refusal refusal = outcome.refusal();
            if (refusal != null && refusal.code() == ErrorCode.NOT_FOUND && !renamed.equals(place.name())) {
                call[0] = read(renamed, offset, length, again -> done.accept(block(offset, length, again)));
            } else {
                done.accept(block(offset, length, outcome));
            }
        });
        return () -> call[0].cancel();
    }

    private RemoteFiles.Call read(String from, long offset, int length, Outcome.Callback<RemoteBlock> done) {
        return files.read(place.topic(), from, version.fingerprint(), offset, length, patience, done);
    }

    private static Outcome<Block> block(long offset, int length, Outcome<RemoteBlock> outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            return new Outcome<>(
                    null,
                    refusal.code() == ErrorCode.NOT_FOUND
                            ? new Refusal(ErrorCode.SOURCE_CHANGED, "the file is no longer there")
                            : refusal);
        }
        RemoteBlock block = outcome.get();
        if (block.length() != length) {
            block.buffer().release();
            return Outcome.refused(ErrorCode.SOURCE_CHANGED, "the file has become shorter");
        }
        return Outcome.of(Block.of(offset, length, block.buffer(), 0));
    }
}
