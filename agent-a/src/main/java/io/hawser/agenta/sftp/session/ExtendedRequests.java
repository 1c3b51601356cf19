package io.hawser.agenta.sftp.session;

import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.sftp.session.SftpSession.Request;
import io.hawser.agenta.sftp.wire.BadPacketException;
import io.hawser.agenta.sftp.wire.PacketFramer;
import io.hawser.agenta.sftp.wire.PacketType;
import io.hawser.agenta.sftp.wire.PacketWriter;
import io.hawser.agenta.sftp.wire.StatusCode;
import io.hawser.core.ftp.FtpPath;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The extensions of OpenSSH's server (its PROTOCOL file, section 4) that are offered here.
 *
 * <p>Thread: the loop.
 */
final class ExtendedRequests {
    /** What is offered, with its version. */
    static final Map<String, String> OFFERED = new TreeMap<>(Map.of(
            "posix-rename@openssh.com", "1",
            "statvfs@openssh.com", "2",
            "fstatvfs@openssh.com", "2",
            "fsync@openssh.com", "1",
            "limits@openssh.com", "1"));

    /** A packet's other fields need less. */
    static final int MAX_READ_BYTES = PacketFramer.MAX_PACKET_BYTES - 1024;

    private static final long BLOCK_BYTES = 4096;
    /** A disk needs less. What comes again after an upload that broke off may be compared with it until its end. */
    private static final Duration SYNC_TIME = Duration.ofSeconds(10);

    private static final RequestFailure NOT_DURABLE_YET =
            RequestFailure.busy("not all that came is durable yet; it is when the file is closed");

    private static final int MAX_NAME_BYTES = FtpPath.MAX_SEGMENT_LENGTH_BYTES;

    private final ClientContext client;
    private final OpenFiles files;
    private final PathRequests paths;

    ExtendedRequests(ClientContext client, OpenFiles files, PathRequests paths) {
        this.client = client;
        this.files = files;
        this.paths = paths;
    }

    void handle(Request request) throws BadPacketException, FtpPath.BadNameException {
        String name = request.body.word();
        switch (name) {
            case "posix-rename@openssh.com" -> {
                FtpPath from = request.path();
                paths.rename(request, from, request.path(), true);
            }
            case "statvfs@openssh.com", "fstatvfs@openssh.com" -> request.answer(space(request.id));
            case "fsync@openssh.com" -> sync(request);
            case "limits@openssh.com" -> request.answer(limits(request.id));
            default ->
                request.answer(Replies.status(request.id, StatusCode.UNSUPPORTED, "No such extension is offered"));
        }
    }

    private void sync(Request request) throws BadPacketException {
        Optional<OpenFile> found = files.find(request.body);
        if (found.isPresent() && found.get() instanceof OpenUpload upload) {
            upload.sync(FirstAnswer.within(client.services().loop(), SYNC_TIME, NOT_DURABLE_YET, request::answer));
        } else {
            request.answer(found.isPresent() ? Optional.empty() : Optional.of(OpenFiles.NO_SUCH_HANDLE));
        }
    }

    /** What this node can take now: that is what an upload needs. The far ends' disks are not asked. */
    private byte[] space(int id) {
        var usage = client.names().spool().usage();
        long free = usage.availableBytes() / BLOCK_BYTES;
        long all = free + usage.contentBytes() / BLOCK_BYTES;
        return new PacketWriter(PacketType.EXTENDED_REPLY, id)
                .u64(BLOCK_BYTES)
                .u64(BLOCK_BYTES)
                .u64(all)
                .u64(free)
                .u64(free)
                .u64(0)
                .u64(0)
                .u64(0)
                .u64(0)
                .u64(0)
                .u64(MAX_NAME_BYTES)
                .done();
    }

    private static byte[] limits(int id) {
        return new PacketWriter(PacketType.EXTENDED_REPLY, id)
                .u64(PacketFramer.MAX_PACKET_BYTES)
                .u64(MAX_READ_BYTES)
                .u64(MAX_READ_BYTES)
                .u64(0)
                .done();
    }
}
