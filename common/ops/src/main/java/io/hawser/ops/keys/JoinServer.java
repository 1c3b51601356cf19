package io.hawser.ops.keys;

import io.hawser.core.config.ConfigException;
import io.hawser.core.config.HostPort;
import io.hawser.core.thread.DaemonThreads;
import io.hawser.core.tls.KeyDirectory;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.keys.Invitations.NotInvitedException;
import io.hawser.ops.keys.Invitations.Welcome;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where nodes that were invited get their certificates: TLS 1.3 with a certificate of the CA that is nobody else's, one line from the
 * caller (at most {@value #LONGEST_LINE} bytes), one answer ({@link JoinMessages}). It is a process of its own on the machine with the
 * CA's key, so that the broker never has that key.
 *
 * <p>What somebody without a token costs is bounded by {@link JoinDoor}: connections at once, of one address and of all, the time of each,
 * and the wrong tokens of an address. Its threads are twice as many as its connections at most.
 *
 * <p>Thread: any; a thread accepts, and each connection has one.
 */
public final class JoinServer implements AutoCloseable {
    static final int LONGEST_LINE = 4096;

    /** Of the certificate that only this server has: no node is ever called so, since a node's name has no blank. */
    static final String NAME = "Hawser enrolment";

    private static final Duration CERTIFICATE_LIFE = Duration.ofDays(2);
    private static final Duration CERTIFICATE_USE = Duration.ofDays(1);
    private static final int BACKLOG = 64;
    private static final Logger LOG = LoggerFactory.getLogger(JoinServer.class);

    private final ServerSocket listening;
    private final KeyDirectory authority;
    private final Invitations invitations;
    private final JoinDoor door;
    private final Audit audit;
    private final ExecutorService threads;
    /** Twice the connections: those that had to make room need a moment to be gone. */
    private final Semaphore places;

    private SSLContext context;
    private Instant contextMade;

    private JoinServer(ServerSocket listening, KeyDirectory authority, JoinDoor door, Audit audit) throws IOException {
        this.listening = listening;
        this.authority = authority;
        this.invitations = new Invitations(authority);
        this.door = door;
        this.audit = audit;
        this.contextMade = Instant.now();
        this.context = newContext(contextMade);
        int most = 2 * door.limits().connections();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                most, most, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), DaemonThreads.numbered("hawser-join-"));
        pool.allowCoreThreadTimeOut(true);
        this.threads = pool;
        this.places = new Semaphore(most);
    }

    /**
     * Listens.
     *
     * @param authority the directory with {@code ca.key}
     * @throws ConfigException if there is no such key
     */
    public static JoinServer start(HostPort address, KeyDirectory authority, Audit audit) throws IOException {
        return start(address, authority, audit, new JoinDoor(JoinDoor.Limits.DEFAULT));
    }

    static JoinServer start(HostPort address, KeyDirectory authority, Audit audit, JoinDoor door) throws IOException {
        CertificateAuthority.open(authority);
        ServerSocket listening = new ServerSocket();
        try {
            listening.setReuseAddress(true);
            listening.bind(address.resolve(), BACKLOG);
            JoinServer server = new JoinServer(listening, authority, door, audit);
            Thread acceptor = new Thread(server::accept, "hawser-join");
            acceptor.setDaemon(true);
            acceptor.start();
            return server;
        } catch (IOException | RuntimeException e) {
            listening.close();
            throw e;
        }
    }

    /** Where it listens, with the real port. */
    public HostPort address() {
        return HostPort.of((InetSocketAddress) listening.getLocalSocketAddress());
    }

    @Override
    public void close() throws IOException {
        listening.close();
        door.close();
        threads.shutdown();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket caller = listening.accept();
                if (door.admit(caller)) {
                    places.acquireUninterruptibly();
                    threads.execute(() -> serve(caller));
                }
            } catch (IOException | RejectedExecutionException e) {
                if (!listening.isClosed()) {
                    LOG.atWarn().addKeyValue("reason", e.getMessage()).log("a caller could not be taken");
                }
            }
        }
    }

    private void serve(Socket caller) {
        try (SSLSocket secured = secured(caller)) {
            secured.startHandshake();
            byte[] answer = answer(line(secured), caller);
            OutputStream out = secured.getOutputStream();
            out.write(answer);
            out.flush();
        } catch (IOException e) {
            // A port scan, another protocol, somebody slow, or one who does not believe this CA: he is gone.
            LOG.atDebug()
                    .addKeyValue("from", caller.getRemoteSocketAddress())
                    .addKeyValue("reason", e.getMessage())
                    .log("a caller left");
        } finally {
            door.left(caller);
            places.release();
        }
    }

    private SSLSocket secured(Socket caller) throws IOException {
        SSLSocket secured = (SSLSocket) context()
                .getSocketFactory()
                .createSocket(caller, caller.getInetAddress().getHostAddress(), caller.getPort(), true);
        secured.setUseClientMode(false);
        secured.setEnabledProtocols(new String[] {"TLSv1.3"});
        return secured;
    }

    /** The first line, without its end; cut off where it is too long. */
    private static String line(SSLSocket from) throws IOException {
        byte[] bytes = new byte[LONGEST_LINE];
        int length = 0;
        while (length < bytes.length) {
            int read = from.getInputStream().read(bytes, length, bytes.length - length);
            if (read < 0) {
                break;
            }
            for (int i = length; i < length + read; i++) {
                if (bytes[i] == '\n') {
                    return new String(bytes, 0, i, StandardCharsets.US_ASCII);
                }
            }
            length += read;
        }
        return "";
    }

    private byte[] answer(String line, Socket caller) {
        String who = "-";
        byte[] answer;
        String result;
        String object = "-";
        try {
            JoinMessages.Request request = JoinMessages.request(line);
            who = request.toString();
            Welcome welcome = invitations.take(request.id(), request.secret(), request.pkcs10(), Instant.now());
            object = welcome.role().fileName() + ":" + welcome.name();
            answer = JoinMessages.answer(welcome);
            result = Audit.OK;
            LOG.atInfo()
                    .addKeyValue("who", object)
                    .addKeyValue("from", caller.getRemoteSocketAddress())
                    .log("a node has joined");
        } catch (NotInvitedException e) {
            door.wasWrong(caller.getInetAddress());
            answer = JoinMessages.refusal(e.reason());
            result = e.reason();
        } catch (IOException | RuntimeException e) {
            LOG.atError().setCause(e).addKeyValue("who", who).log("an invitation cannot be answered");
            answer = JoinMessages.refusal("it cannot be answered here; the log of 'hawser keys serve' says why");
            result = "failed: " + e.getMessage();
        }
        audit.note(who, "join", object, caller.getRemoteSocketAddress().toString(), result);
        return answer;
    }

    private synchronized SSLContext context() throws IOException {
        Instant now = Instant.now();
        if (now.isAfter(contextMade.plus(CERTIFICATE_USE))) {
            context = newContext(now);
            contextMade = now;
        }
        return context;
    }

    private SSLContext newContext(Instant now) throws IOException {
        return JoinTls.server(CertificateAuthority.open(authority), now, CERTIFICATE_LIFE);
    }
}
