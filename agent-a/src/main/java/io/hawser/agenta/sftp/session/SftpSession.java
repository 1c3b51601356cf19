package io.hawser.agenta.sftp.session;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.namespace.RequestFailure.Reason;
import io.hawser.agenta.sftp.wire.BadPacketException;
import io.hawser.agenta.sftp.wire.PacketReader;
import io.hawser.agenta.sftp.wire.PacketType;
import io.hawser.agenta.sftp.wire.PacketWriter;
import io.hawser.agenta.sftp.wire.StatusCode;
import io.hawser.core.ftp.FtpPath;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;

/**
 * One SFTP session: takes the packets of a client, and sees that each request is answered once. A client whose answers wait for it, or with
 * very many requests under way, is not listened to meanwhile.
 *
 * <p>Thread: the loop.
 */
public final class SftpSession {
    private static final int VERSION = 3;
    private static final int LENGTH_BYTES = Integer.BYTES;
    /** More than clients send ahead. */
    private static final int MAX_UNDER_WAY = 1024;

    private final Outlet outlet;
    private final OpenFiles files;
    private final FileRequests fileRequests;
    private final PathRequests pathRequests;
    private final ExtendedRequests extendedRequests;
    private final ArrayDeque<byte[]> inbox = new ArrayDeque<>();
    private final ReplyMemory memory;
    private int underWay;
    private long heldBytes;
    private boolean waitsForClient;
    private boolean handling;
    private boolean begun;
    private boolean over;

    /** What is asked of the session, with the way to answer it; once. */
    final class Request {
        final PacketType type;
        final int id;
        final PacketReader body;
        private final int bytes;
        private boolean answered;
        private int held;

        private Request(PacketType type, int id, PacketReader body, int bytes) {
            this.type = type;
            this.id = id;
            this.body = body;
            this.bytes = bytes;
        }

        void answer(byte[] packet) {
            if (answered) {
                throw new IllegalStateException(type + " is answered already");
            }
            answered = true;
            underWay--;
            if (!over) {
                heldBytes -= held;
                memory.release(held);
                if (type == PacketType.WRITE) {
                    outlet.consumed(bytes); // only now its bytes have left this memory
                }
                outlet.send(packet);
                if (!handling) {
                    pump();
                }
            }
        }

        void answer(Optional<RequestFailure> outcome) {
            answer(Replies.outcome(id, outcome));
        }

        /** Its answer takes so much memory until it is sent. */
        void holds(int bytesOfAnswer) {
            held = bytesOfAnswer;
            heldBytes += held;
            memory.take(held);
        }

        void refuse(RequestFailure failure) {
            answer(Replies.failure(id, failure));
        }

        /** The path that stands next in the request. */
        FtpPath path() throws BadPacketException, FtpPath.BadNameException {
            return pathRequests.client().resolve(body.name());
        }
    }

    /** The session of {@code account}, which is logged in from {@code peer}. */
    public SftpSession(SessionServices services, Account account, InetSocketAddress peer, Outlet outlet) {
        ClientContext client = new ClientContext(services, account, peer);
        this.outlet = outlet;
        this.memory = services.memory();
        this.files = new OpenFiles();
        this.fileRequests = new FileRequests(client, files);
        this.pathRequests = new PathRequests(client, files);
        this.extendedRequests = new ExtendedRequests(client, files, pathRequests);
    }

    /** Packets have come. */
    public void received(List<byte[]> packets) {
        if (!over) {
            inbox.addAll(packets);
            pump();
        }
    }

    private void pump() {
        if (handling) {
            return;
        }
        handling = true;
        while (!over && !inbox.isEmpty() && mayBegin()) {
            handle(inbox.remove());
        }
        handling = false;
    }

    private boolean mayBegin() {
        if (underWay >= MAX_UNDER_WAY || (heldBytes > 0 && memory.isFull(heldBytes))) {
            return false; // until one is answered
        }
        if (!outlet.isFull()) {
            return true;
        }
        if (!waitsForClient) {
            waitsForClient = true;
            outlet.whenDrained(() -> {
                waitsForClient = false;
                pump();
            });
        }
        return false;
    }

    private void handle(byte[] packet) {
        int bytes = packet.length + LENGTH_BYTES;
        PacketReader body = new PacketReader(packet);
        try {
            int code = body.u8();
            Optional<PacketType> type = PacketType.of(code);
            boolean isInit = type.filter(PacketType.INIT::equals).isPresent();
            if (isInit != !begun) {
                end("INIT comes first, and once");
                return;
            }
            int id = body.u32();
            if (isInit) {
                begun = true;
                outlet.consumed(bytes);
                outlet.send(version());
            } else if (type.isEmpty()) {
                outlet.consumed(bytes);
                outlet.send(Replies.status(id, StatusCode.UNSUPPORTED, "No request has the number " + code));
            } else {
                begin(new Request(type.get(), id, body, bytes));
            }
        } catch (BadPacketException e) {
            end(e.what()); // without its id it cannot be answered
        }
    }

    private void begin(Request request) {
        underWay++;
        if (request.type != PacketType.WRITE) {
            outlet.consumed(request.bytes);
        }
        try {
            dispatch(request);
        } catch (BadPacketException e) {
            request.answer(Replies.status(request.id, StatusCode.BAD_MESSAGE, "Bad message: " + e.what()));
        } catch (FtpPath.BadNameException e) {
            request.refuse(new RequestFailure(Reason.BAD_NAME, e.why()));
        }
    }

    private void dispatch(Request request) throws BadPacketException, FtpPath.BadNameException {
        if (request.type != PacketType.REMOVE) {
            files.clientActed();
        }
        switch (request.type) {
            case OPEN, CLOSE, READ, WRITE, FSTAT, FSETSTAT, OPENDIR, READDIR -> fileRequests.handle(request);
            case STAT, LSTAT, SETSTAT, REMOVE, MKDIR, RMDIR, RENAME, REALPATH, READLINK -> pathRequests.handle(request);
            case EXTENDED -> extendedRequests.handle(request);
            case SYMLINK ->
                request.answer(Replies.status(request.id, StatusCode.UNSUPPORTED, "Symbolic links cannot be made"));
            case INIT, VERSION, STATUS, HANDLE, DATA, NAME, ATTRS, EXTENDED_REPLY ->
                request.answer(Replies.status(request.id, StatusCode.BAD_MESSAGE, request.type + " is no request"));
        }
    }

    private static byte[] version() {
        PacketWriter packet = new PacketWriter(PacketType.VERSION, VERSION);
        ExtendedRequests.OFFERED.forEach((name, version) -> packet.text(name).text(version));
        return packet.done();
    }

    private void end(String why) {
        outlet.close(why);
        ended();
    }

    /** The client is gone, or its channel is closed. */
    public void ended() {
        if (!over) {
            over = true;
            inbox.clear();
            memory.release(heldBytes);
            files.clientGone();
        }
    }
}
