package io.hawser.agenta.sftp.session;

import io.hawser.agenta.download.DownloadService;
import io.hawser.agenta.download.RandomReads;
import io.hawser.agenta.download.VersionedSource;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.sftp.wire.PacketType;
import io.hawser.agenta.sftp.wire.StatusCode;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.ops.audit.Audit;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A file that is read.
 *
 * <p>Thread: the loop.
 */
final class OpenDownload implements OpenFile {
    /** Length, type, id and the data's length stand before the data. */
    private static final int HEADER_BYTES = 3 * Integer.BYTES + 1;

    private final FtpPath path;
    private final RandomReads reads;
    private final DownloadService downloads;
    private final ClientNotes notes;
    private final long beganNanos = System.nanoTime();
    private long sentBytes;
    private String result = Audit.OK;

    OpenDownload(FtpPath path, VersionedSource source, DownloadService downloads, ClientNotes notes) {
        this.path = path;
        this.reads = new RandomReads(source);
        this.downloads = downloads;
        this.notes = notes;
    }

    @Override
    public FtpPath path() {
        return path;
    }

    long sizeBytes() {
        return reads.sizeBytes();
    }

    /** READ: {@code answered} gets the answer, perhaps inside this call. */
    void read(int id, long offset, int length, Consumer<byte[]> answered) {
        long size = reads.sizeBytes();
        if (offset >= size) {
            answered.accept(Replies.status(id, StatusCode.EOF, "End of file"));
            return;
        }
        int count = (int) Math.min(length, size - offset);
        if (count == 0) {
            answered.accept(data(id, 0));
            return;
        }
        byte[] packet = data(id, count);
        reads.read(
                offset,
                ByteBuffer.wrap(packet, HEADER_BYTES, count),
                outcome -> answered.accept(answer(id, packet, outcome)));
    }

    /** Fills {@code into} with the bytes from {@code offset} on, which are all in the file; {@code told} gets nothing, or why that cannot be. */
    void read(long offset, ByteBuffer into, Consumer<Optional<RequestFailure>> told) {
        reads.read(offset, into, outcome -> told.accept(sent(outcome)));
    }

    private static byte[] data(int id, int count) {
        byte[] packet = new byte[HEADER_BYTES + count];
        ByteBuffer.wrap(packet)
                .putInt(packet.length - Integer.BYTES)
                .put((byte) PacketType.DATA.code())
                .putInt(id)
                .putInt(count);
        return packet;
    }

    private byte[] answer(int id, byte[] packet, Outcome<Integer> outcome) {
        // Not "no such file": it was there.
        return sent(outcome)
                .map(why -> Replies.status(id, StatusCode.FAILURE, why.words()))
                .orElse(packet);
    }

    private Optional<RequestFailure> sent(Outcome<Integer> outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal == null) {
            sentBytes += outcome.get();
            downloads.sent(outcome.get());
            return Optional.empty();
        }
        RequestFailure why = refusal.code() == ErrorCode.UNREACHABLE
                ? RequestFailure.busy("the far end was not reachable for too long; try again later")
                : RequestFailure.ofQuestion(refusal);
        result = why.words();
        return Optional.of(why);
    }

    void close() {
        reads.close();
        notes.downloadEnded(path, sentBytes, beganNanos, result);
    }

    @Override
    public void clientGone() {
        result = "the client was gone before it closed the file";
        close();
    }
}
