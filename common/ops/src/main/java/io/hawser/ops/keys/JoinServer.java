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
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives invited nodes their certificates (enrolment): over TLS 1.3 with a certificate of its own from the CA, one line from the caller (at most {@value
 * #LONGEST_LINE} bytes), one answer ({@link JoinMessages}). It runs in a process of its own on the machine with the CA's key, so that the broker never
 * has that key.
 *
 * <p>{@link JoinAdmission} bounds what callers without a token cost: the number and time of connections, and the wrong tokens of a network. There are
 * at most twice as many threads as connections.
 *
 * <p>Thread: any; one thread accepts, and each connection has its own.
 */
public final class JoinServer implements AutoCloseable {
    static final int LONGEST_LINE = 4096;

    /** The name in this server's certificate: no node can have it, since a node's name has no blank. */
    static final String NAME = "Hawser enrolment";

    private static final Duration CERTIFICATE_LIFE = Duration.ofDays(2);
    private static final Duration CERTIFICATE_USE = Duration.ofDays(1);
    private static final int BACKLOG = 64;
    private static final Logger LOG = LoggerFactory.getLogger(JoinServer.class);

    private final ServerSocket listener;
    private final KeyDirectory authority;
    private final Invitations invitations;
    private final JoinAdmission admission;
    private final Audit audit;
    private final ExecutorService threads;
    /** Twice the connections: evicted ones need a moment to end. */
    private final Semaphore permits;

    private SSLContext context;
    private Instant contextMade;

    private JoinServer(ServerSocket listener, KeyDirectory authority, JoinAdmission admission, Audit audit)
            throws IOException {
        this.listener = listener;
        this.authority = authority;
        this.invitations = new Invitations(authority);
        this.admission = admission;
        this.audit = audit;
        this.contextMade = Instant.now();
        this.context = newContext(contextMade);
        int maxThreads = 2 * admission.limits().connections();
        this.threads = DaemonThreads.pool("hawser-join-", maxThreads);
        this.permits = new Semaphore(maxThreads);
    }

    /**
     * @param authority the directory with {@code ca.key}
     * @throws ConfigException if there is no such key
     */
    public static JoinServer start(HostPort address, KeyDirectory authority, Audit audit) throws IOException {
        return start(address, authority, audit, new JoinAdmission(JoinAdmission.Limits.DEFAULT));
    }

    static JoinServer start(HostPort address, KeyDirectory authority, Audit audit, JoinAdmission admission)
            throws IOException {
        CertificateAuthority.open(authority);
        ServerSocket listener = new ServerSocket();
        try {
            listener.setReuseAddress(true);
            listener.bind(address.resolve(), BACKLOG);
            JoinServer server = new JoinServer(listener, authority, admission, audit);
            Thread acceptor = new Thread(server::accept, "hawser-join");
            acceptor.setDaemon(true);
            acceptor.start();
            return server;
        } catch (IOException | RuntimeException e) {
            listener.close();
            throw e;
        }
    }

    /** Where it listens, with the real port. */
    public HostPort address() {
        return HostPort.of((InetSocketAddress) listener.getLocalSocketAddress());
    }

    @Override
    public void close() throws IOException {
        listener.close();
        admission.close();
        threads.shutdown();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket caller = listener.accept();
                if (admission.admit(caller)) {
                    permits.acquireUninterruptibly();
                    threads.execute(() -> serve(caller));
                }
            } catch (IOException | RejectedExecutionException e) {
                if (!listener.isClosed()) {
                    LOG.atWarn().addKeyValue("reason", e.getMessage()).log("cannot accept a connection");
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
            // A port scan, another protocol, a slow caller, or one that does not trust this CA.
            LOG.atDebug()
                    .addKeyValue("from", caller.getRemoteSocketAddress())
                    .addKeyValue("reason", e.getMessage())
                    .log("a caller left without a request");
        } finally {
            admission.left(caller);
            permits.release();
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
            admission.countWrongToken(caller.getInetAddress());
            answer = JoinMessages.refusal(e.reason());
            result = e.reason();
        } catch (IOException | RuntimeException e) {
            LOG.atError().setCause(e).addKeyValue("who", who).log("cannot answer a request to join");
            answer = JoinMessages.refusal("the server failed; see the log of 'hawser keys serve'");
            result = "failed: " + e.getMessage();
        }
        audit.note(who, "join", object, caller.getRemoteSocketAddress(), result);
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
