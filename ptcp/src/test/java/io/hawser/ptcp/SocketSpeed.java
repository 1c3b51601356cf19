package io.hawser.ptcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import javax.net.ServerSocketFactory;
import javax.net.SocketFactory;

/**
 * Measures a {@link Socket} and a {@link PTCPSocket} over loopback, both ends in one JVM: bytes a second one way, and round trips of one
 * byte. {@code SocketSpeed [streams] [write KiB] [seconds] [buffers KiB]}. Prints three rounds of each.
 */
public final class SocketSpeed {
    private static final int ROUNDS = 3;
    private static final int WARM_UP_TRIPS = 2_000;
    private static final int TRIPS = 10_000;

    private SocketSpeed() {}

    /** Runs the measurement. */
    public static void main(String[] args) throws Exception {
        int streams = args.length > 0 ? Integer.parseInt(args[0]) : 4;
        int writeBytes = (args.length > 1 ? Integer.parseInt(args[1]) : 64) << 10;
        int seconds = args.length > 2 ? Integer.parseInt(args[2]) : 2;
        int bufferBytes = args.length > 3 ? Integer.parseInt(args[3]) << 10 : 0;
        PtcpOptions options = PtcpOptions.DEFAULT.withStreams(streams);
        for (int round = 0; round < ROUNDS; round++) {
            measure("Socket", SocketFactory.getDefault(), ServerSocketFactory.getDefault(), writeBytes, seconds, 0);
            measure(
                    "PTCPSocket, " + streams + " streams",
                    new PTCPSocketFactory(options),
                    new PTCPServerSocketFactory(options),
                    writeBytes,
                    seconds,
                    bufferBytes);
        }
    }

    private static void measure(
            String name,
            SocketFactory sockets,
            ServerSocketFactory servers,
            int writeBytes,
            int seconds,
            int bufferBytes)
            throws Exception {
        try (ServerSocket server = servers.createServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Socket near = sockets.createSocket(InetAddress.getLoopbackAddress(), server.getLocalPort());
                Socket far = server.accept()) {
            if (bufferBytes > 0) {
                near.setSendBufferSize(bufferBytes);
                far.setReceiveBufferSize(bufferBytes);
            }
            near.setTcpNoDelay(true);
            far.setTcpNoDelay(true);
            double[] micros = roundTrips(near, far);
            System.out.println(String.format(
                    Locale.ROOT,
                    "%-24s %6.0f MB/s in writes of %d KiB; 1 byte there and back: median %.0f us, 99 %% %.0f us",
                    name,
                    megabytesPerSecond(near, far, writeBytes, seconds),
                    writeBytes >> 10,
                    micros[micros.length / 2],
                    micros[micros.length * 99 / 100]));
        }
    }

    private static double[] roundTrips(Socket near, Socket far) throws IOException {
        start(() -> {
            InputStream in = far.getInputStream();
            OutputStream out = far.getOutputStream();
            for (int i = 0; i < WARM_UP_TRIPS + TRIPS; i++) {
                out.write(in.read());
            }
        });
        double[] micros = new double[TRIPS];
        for (int i = -WARM_UP_TRIPS; i < TRIPS; i++) {
            long begin = System.nanoTime();
            near.getOutputStream().write(1);
            near.getInputStream().read();
            micros[Math.max(0, i)] = (System.nanoTime() - begin) / 1e3;
        }
        Arrays.sort(micros);
        return micros;
    }

    private static double megabytesPerSecond(Socket near, Socket far, int writeBytes, int seconds) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        start(() -> {
            byte[] piece = new byte[writeBytes];
            while (System.nanoTime() < end) {
                near.getOutputStream().write(piece);
            }
            near.shutdownOutput();
        });
        long begin = System.nanoTime();
        byte[] buffer = new byte[64 << 10];
        long bytes = 0;
        for (int n = far.getInputStream().read(buffer);
                n >= 0;
                n = far.getInputStream().read(buffer)) {
            bytes += n;
        }
        return bytes * 1e3 / (System.nanoTime() - begin);
    }

    private interface IoRunnable {
        void run() throws IOException;
    }

    private static void start(IoRunnable work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                },
                "speed");
        thread.setDaemon(true);
        thread.start();
    }
}
