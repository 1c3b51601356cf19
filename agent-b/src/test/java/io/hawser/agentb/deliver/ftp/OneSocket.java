package io.hawser.agentb.deliver.ftp;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.SocketFactory;

/** A server that says its piece and hears nothing. */
final class OneSocket extends SocketFactory {
    private final byte[] says;

    OneSocket(byte[] says) {
        this.says = says;
    }

    @Override
    public Socket createSocket() {
        return new Said(says);
    }

    @Override
    public Socket createSocket(String host, int port) {
        return new Said(says);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        return new Said(says);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        return new Said(says);
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress localHost, int localPort) {
        return new Said(says);
    }

    private static final class Said extends Socket {
        private final InputStream in;

        private Said(byte[] says) {
            this.in = new ByteArrayInputStream(says);
        }

        @Override
        public void connect(SocketAddress endpoint, int timeout) {}

        @Override
        public InputStream getInputStream() {
            return in;
        }

        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InetAddress getInetAddress() {
            return InetAddress.getLoopbackAddress();
        }

        @Override
        public boolean isConnected() {
            return true;
        }

        @Override
        public void setKeepAlive(boolean on) {}

        @Override
        public synchronized void setSoTimeout(int timeout) {}

        @Override
        public synchronized int getSoTimeout() {
            return 0;
        }
    }
}
