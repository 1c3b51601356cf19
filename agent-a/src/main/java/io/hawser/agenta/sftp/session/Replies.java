package io.hawser.agenta.sftp.session;

import io.hawser.agenta.front.LongFormat;
import io.hawser.agenta.namespace.PathFacts;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.sftp.wire.FileAttributes;
import io.hawser.agenta.sftp.wire.PacketType;
import io.hawser.agenta.sftp.wire.PacketWriter;
import io.hawser.agenta.sftp.wire.StatusCode;
import java.util.Optional;

/** The packets that answer requests. Thread: any. */
final class Replies {
    private Replies() {}

    static byte[] status(int id, StatusCode code, String words) {
        return new PacketWriter(PacketType.STATUS, id)
                .u32(code.code())
                .text(words)
                .text("en")
                .done();
    }

    static byte[] ok(int id) {
        return status(id, StatusCode.OK, "Success");
    }

    static byte[] failure(int id, RequestFailure failure) {
        return status(id, StatusCode.of(failure), failure.words());
    }

    static byte[] outcome(int id, Optional<RequestFailure> failure) {
        return failure.map(why -> failure(id, why)).orElseGet(() -> ok(id));
    }

    static byte[] handle(int id, byte[] handle) {
        return new PacketWriter(PacketType.HANDLE, id).string(handle).done();
    }

    static byte[] attributes(int id, FileAttributes attributes) {
        PacketWriter packet = new PacketWriter(PacketType.ATTRS, id);
        attributes.write(packet);
        return packet.done();
    }

    /** One name, as REALPATH answers. */
    static byte[] path(int id, String path) {
        PacketWriter packet =
                new PacketWriter(PacketType.NAME, id).u32(1).name(path).name(path);
        FileAttributes.NONE.write(packet);
        return packet.done();
    }

    static void entry(PacketWriter packet, PathFacts facts, long nowMillis) {
        packet.name(facts.name()).name(LongFormat.of(facts, nowMillis));
        FileAttributes.of(facts).write(packet);
    }
}
