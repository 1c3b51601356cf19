package io.hawser.core.wire;

import io.hawser.core.model.NodeId;
import java.nio.ByteBuffer;

/**
 * A node's greeting at the start of a session.
 *
 * @param role the node's role
 * @param node its node id
 * @param epoch rises with each session and start of the node: of two sessions of one node the older is fenced
 */
public record Greeting(Role role, NodeId node, long epoch) {
    /** The version of the hop protocol. */
    public static final int VERSION = 2;

    private static final int LENGTH_BYTES = 26;

    public enum Role {
        BROKER(0),
        AGENT_A(1),
        AGENT_B(2),
        CLIENT(3);

        private final int code;

        Role(int code) {
            this.code = code;
        }

        private static Role of(int code) throws MalformedMessageException {
            for (Role role : values()) {
                if (role.code == code) {
                    return role;
                }
            }
            throw new MalformedMessageException("a greeting of unknown role " + code);
        }
    }

    /** The bytes, in the layout of the package description. */
    public byte[] encode() {
        return ByteBuffer.allocate(LENGTH_BYTES)
                .put((byte) VERSION)
                .put((byte) role.code)
                .putLong(node.high())
                .putLong(node.low())
                .putLong(epoch)
                .array();
    }

    /** Reads a greeting; the exception's message is for the peer's user. */
    public static Greeting decode(byte[] bytes) throws MalformedMessageException {
        if (bytes.length < 1 || bytes[0] != VERSION) {
            throw new MalformedMessageException("the peer speaks version " + (bytes.length < 1 ? "?" : bytes[0])
                    + " of the hop protocol and this node version " + VERSION + "; update the older of the two");
        }
        if (bytes.length != LENGTH_BYTES) {
            throw new MalformedMessageException("the greeting is malformed");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 2, LENGTH_BYTES - 2);
        return new Greeting(Role.of(bytes[1]), new NodeId(in.getLong(), in.getLong()), in.getLong());
    }
}
