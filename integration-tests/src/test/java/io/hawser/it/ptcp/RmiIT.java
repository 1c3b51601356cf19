package io.hawser.it.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.testkit.ReservedPort;
import io.hawser.ptcp.testkit.TestTimes;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The JDK's remote method invocation: registry, objects and callbacks over PTCP. */
class RmiIT {
    private static final PtcpRmiSockets SOCKETS = new PtcpRmiSockets();

    /** What is called. */
    interface Service extends Remote {
        byte[] echo(byte[] content) throws RemoteException;

        String fail() throws RemoteException;

        int callBack(Listener listener, int times) throws RemoteException;
    }

    /** What is called back. */
    interface Listener extends Remote {
        int next(int number) throws RemoteException;
    }

    private static final class EchoService implements Service {
        @Override
        public byte[] echo(byte[] content) {
            return content;
        }

        @Override
        public String fail() {
            throw new IllegalStateException("as it should");
        }

        @Override
        public int callBack(Listener listener, int times) throws RemoteException {
            int sum = 0;
            for (int i = 0; i < times; i++) {
                sum += listener.next(i);
            }
            return sum;
        }
    }

    private final Service object = new EchoService();
    private ReservedPort reserved;
    private Registry registry;
    private Service service;

    /** Stubs name the host that they came from. */
    @BeforeAll
    static void nameTheHost() {
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
    }

    @BeforeEach
    void export() throws Exception {
        reserved = ReservedPort.take();
        int port = reserved.number();
        registry = LocateRegistry.createRegistry(port, SOCKETS, SOCKETS);
        registry.bind("service", UnicastRemoteObject.exportObject(object, 0, SOCKETS, SOCKETS));
        int before = PtcpRmiSockets.MADE.get();
        service =
                (Service) LocateRegistry.getRegistry("127.0.0.1", port, SOCKETS).lookup("service");
        assertThat(PtcpRmiSockets.MADE.get()).isGreaterThan(before);
    }

    @AfterEach
    void unexport() throws Exception {
        UnicastRemoteObject.unexportObject(object, true);
        UnicastRemoteObject.unexportObject(registry, true);
        reserved.close();
    }

    @Test
    void argumentsAndResultsOfAllSizes() throws Exception {
        for (int length : new int[] {0, 1, 1000, 4 << 20}) {
            byte[] content = new byte[length];
            new Random(length).nextBytes(content);
            assertThat(service.echo(content)).isEqualTo(content);
        }
    }

    @Test
    void exceptionsOfTheFarEndArrive() throws Exception {
        assertThatThrownBy(() -> service.fail())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("as it should");
        assertThat(service.echo(new byte[3])).hasSize(3);
    }

    @Test
    void callbacksGoTheOtherWayMeanwhile() throws Exception {
        Listener listener = number -> number;
        Listener stub = (Listener) UnicastRemoteObject.exportObject(listener, 0, SOCKETS, SOCKETS);
        try {
            assertThat(service.callBack(stub, 100)).isEqualTo(99 * 100 / 2);
        } finally {
            UnicastRemoteObject.unexportObject(listener, true);
        }
    }

    @Test
    void callsOfManyThreads() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<byte[]>> calls = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                byte[] content = {(byte) i};
                calls.add(threads.submit(() -> service.echo(content)));
            }
            for (int i = 0; i < 200; i++) {
                assertThat(calls.get(i).get(TestTimes.SECONDS, TimeUnit.SECONDS))
                        .containsExactly((byte) i);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
