package io.hawser.it.sim;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.remote.Answer;
import io.hawser.core.remote.CallHandler;
import io.hawser.core.remote.CallLink;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The files of a consumer's target, for those who read through the chain: each block is one of a stated version of its file. */
final class SimFiles implements CallHandler {
    private final SimConsumer consumer;
    private final SimChain chain;
    private final FragmentBufferPool memory;
    private final Set<Long> wanted = new HashSet<>();
    private @Nullable CallLink session;

    SimFiles(SimConsumer consumer) {
        this.consumer = consumer;
        this.chain = consumer.chain;
        this.memory = new FragmentBufferPool(chain.plan.bufferBytes(), 2);
    }

    FragmentBufferPool memory() {
        return memory;
    }

    @Override
    public void onUp(CallLink link) {
        session = link;
        wanted.clear();
    }

    @Override
    public void onDown(CallLink link) {
        session = null;
    }

    @Override
    public void onAsked(CallLink link, long call, Topic topic, Question question) {
        wanted.add(call);
        consumer.post(chain.quick(), () -> answer(link, call, question));
    }

    private void answer(CallLink link, long call, Question question) {
        if (link != session || !wanted.contains(call)) {
            return;
        }
        TransferKey key = consumer.landing().standsAt(question.name());
        if (key == null) {
            refuse(link, call, ErrorCode.NOT_FOUND, "No such file or directory");
            return;
        }
        byte[] content = chain.truth(key).content();
        String name = question.name().substring(question.name().lastIndexOf('/') + 1);
        RemoteFile file = new RemoteFile(name, RemoteFile.Kind.FILE, content.length, 0, 0644, key.toString());
        if (question instanceof Question.Read read) {
            block(link, call, read, file, content);
        } else {
            wanted.remove(call);
            link.answer(call, new Answer.OfFile(file));
        }
    }

    private void block(CallLink link, long call, Question.Read read, RemoteFile file, byte[] content) {
        boolean mixes = chain.plan.bug == PlantedBug.READ_MIXES_VERSIONS;
        if (!mixes && !read.fingerprint().isEmpty() && !read.fingerprint().equals(file.fingerprint())) {
            refuse(link, call, ErrorCode.SOURCE_CHANGED, "the file has changed");
            return;
        }
        FragmentBuffer buffer = memory.tryAcquire();
        if (buffer == null) {
            consumer.post(chain.quick(), () -> answer(link, call, read));
            return;
        }
        wanted.remove(call);
        int from = (int) Math.min(read.offset(), content.length);
        int length = Math.min(read.length(), content.length - from);
        buffer.payload(0, length).put(content, from, length);
        link.answer(call, new Answer.OfBlock(file), buffer, length, Crc32c.of(buffer.payload(0, length)));
        buffer.release();
    }

    private void refuse(CallLink link, long call, ErrorCode code, String text) {
        wanted.remove(call);
        link.refuse(call, new Refusal(code, text));
    }

    @Override
    public void onCancelled(CallLink link, long call) {
        wanted.remove(call);
    }

    @Override
    public void onRefused(CallLink link, long call, Refusal refusal) {
        // It asks nothing.
    }

    @Override
    public void onAnswered(CallLink link, long call, Answer answer) {
        // It asks nothing.
    }

    @Override
    public @Nullable FragmentBuffer memoryFor(CallLink link, long call, int length) {
        return null;
    }

    @Override
    public void onAnswered(CallLink link, long call, Answer answer, FragmentBuffer buffer, int length, int crc32c) {
        // It asks nothing.
    }

    @Override
    public void tick(long nowNanos) {
        // Whoever asks watches the time.
    }
}
