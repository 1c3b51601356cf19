package io.hawser.it.bench.links;

import io.hawser.core.config.HostPort;
import io.hawser.ptcp.PTCPServerSocket;
import io.hawser.ptcp.PTCPSocket;
import io.hawser.ptcp.PtcpOptions;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * One end of the sockets that {@code bench ptcp} measures, in a process of its own. {@code serve KIND ADDRESS} prints the port on which
 * it takes what comes; {@code send KIND HOST:PORT STREAMS BYTES WARMUP} sends so much over one {@code ptcp} socket with so many data channels, or over
 * as many {@code plain} ones, and prints the seconds between the arrival of the first byte and that of the last. Before that it sends the bytes of the
 * warm-up over sockets of their own, if any.
 *
 * <p>Thread: main, and one for each connection.
 */
final class SocketEnd {
    private static final int STEP_BYTES = 1 << 20;
    /** Channels may join while nothing is sent; that is not what is measured. */
    private static final long JOIN_MILLIS = 1_500;

    private SocketEnd() {}

    /** @param arguments see above */
    public static void main(String[] arguments) throws Exception {
        boolean ptcp = arguments[1].equals("ptcp");
        if (arguments[0].equals("serve")) {
            serve(ptcp, InetAddress.getByName(arguments[2]));
        } else {
            HostPort to = HostPort.parse(arguments[2]);
            int streams = Integer.parseInt(arguments[3]);
            long warmUp = Long.parseLong(arguments[5]);
            if (warmUp > 0) {
                double unused = send(ptcp, to, streams, warmUp);
            }
            System.out.println(send(ptcp, to, streams, Long.parseLong(arguments[4])));
        }
    }

    private static void serve(boolean ptcp, InetAddress address) throws IOException {
        try (ServerSocket server = ptcp ? new PTCPServerSocket(0, 100, address) : new ServerSocket(0, 100, address)) {
            System.out.println(server.getLocalPort());
            System.out.flush();
            while (true) {
                Socket accepted = server.accept();
                new Thread(() -> take(accepted), "taking").start();
            }
        }
    }

    /** Reads to the end, and answers with how much came, and when the first and the last of it. */
    private static void take(Socket from) {
        byte[] step = new byte[STEP_BYTES];
        try (from) {
            InputStream in = from.getInputStream();
            long bytes = 0;
            long first = 0;
            for (int length = in.read(step); length >= 0; length = in.read(step)) {
                first = bytes == 0 ? System.nanoTime() : first;
                bytes += length;
            }
            DataOutputStream out = new DataOutputStream(from.getOutputStream());
            out.writeLong(bytes);
            out.writeLong(first);
            out.writeLong(System.nanoTime());
            out.flush();
        } catch (IOException e) {
            System.err.println("a connection broke: " + e);
        }
    }

    /** The clock of {@link System#nanoTime} is one for all processes of a machine. */
    private record Arrival(long bytes, long firstNanos, long lastNanos) {}

    private static double send(boolean ptcp, HostPort to, int streams, long bytes) throws Exception {
        InetSocketAddress remote = new InetSocketAddress(to.host(), to.port());
        List<Socket> sockets = new ArrayList<>();
        if (ptcp) {
            sockets.add(new PTCPSocket(PtcpOptions.DEFAULT.withStreams(streams), null, remote));
        } else {
            for (int i = 0; i < streams; i++) {
                sockets.add(new Socket(remote.getAddress(), remote.getPort()));
            }
        }
        Thread.sleep(JOIN_MILLIS);
        long share = bytes / sockets.size();
        ExecutorService threads = Executors.newFixedThreadPool(sockets.size());
        List<Callable<Arrival>> all = new ArrayList<>();
        sockets.forEach(socket -> all.add(() -> sendOne(socket, share)));
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (Future<Arrival> done : threads.invokeAll(all)) {
            Arrival arrival = done.get();
            if (arrival.bytes() != share) {
                throw new IOException(arrival.bytes() + " bytes came of " + share);
            }
            first = Math.min(first, arrival.firstNanos());
            last = Math.max(last, arrival.lastNanos());
        }
        threads.shutdown();
        return (last - first) / 1e9;
    }

    private static Arrival sendOne(Socket to, long bytes) throws IOException {
        byte[] step = new byte[STEP_BYTES];
        try (to) {
            OutputStream out = to.getOutputStream();
            for (long sent = 0; sent < bytes; sent += step.length) {
                out.write(step, 0, (int) Math.min(step.length, bytes - sent));
            }
            to.shutdownOutput();
            DataInputStream in = new DataInputStream(to.getInputStream());
            return new Arrival(in.readLong(), in.readLong(), in.readLong());
        }
    }
}
