package io.hawser.ptcp.testkit;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Rules that several modules keep, each for its own packages.
 *
 * <p>Thread: any.
 */
public final class ModuleRules {
    private ModuleRules() {}

    /** Nothing that comes is unpacked: no few bytes become many. */
    public static ArchRule nothingIsDecompressed(String packages) {
        return noClasses()
                .that()
                .resideInAPackage(packages)
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.zip\\.(.*Inflater.*|GZIPInputStream|ZipInputStream|ZipFile)"
                        + "|java\\.util\\.jar\\..*");
    }

    /** Pure packages are told what time it is, and are given their dice. */
    public static ArchRule noClockAndNoDice(String... pure) {
        return noClockAndNoDice(resideInAnyPackage(pure));
    }

    /** The same of other classes. */
    public static ArchRule noClockAndNoDice(DescribedPredicate<? super JavaClass> which) {
        return noClasses()
                .that(which)
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Instant.class, "now")
                .orShould()
                .callConstructorWhere(target(owner(assignableTo(RandomGenerator.class))))
                .orShould()
                .callMethod(ThreadLocalRandom.class, "current")
                .orShould()
                .callMethod(Math.class, "random");
    }

    /** Classes that get their threads from others make none. */
    public static ArchRule noThreadsOfTheirOwn(DescribedPredicate<? super JavaClass> which) {
        return noClasses()
                .that(which)
                .should()
                .callConstructorWhere(target(owner(assignableTo(Thread.class))))
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.concurrent\\.(Executors|[A-Za-z]*PoolExecutor|ForkJoinPool)"
                        + "|java\\.util\\.Timer|io\\.hawser\\.core\\.thread\\..*");
    }

    /** Pure packages reach no socket, no file and no thread. */
    public static ArchRule noInputOutput(String... pure) {
        return noClasses()
                .that()
                .resideInAnyPackage(pure)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.net..",
                        "java.nio.channels..",
                        "java.nio.file..",
                        "java.util.concurrent.locks..",
                        "java.util.concurrent.atomic..",
                        "io.netty.channel..",
                        "io.hawser.ptcp..")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.lang\\.Thread"
                        + "|java\\.util\\.concurrent\\.(ExecutorService|Executors|CompletableFuture|Scheduled.*)"
                        + "|java\\.io\\.(File|RandomAccessFile).*");
    }

    /** Pure packages log nothing: whoever drives them tells people. */
    public static ArchRule nothingIsLogged(String... pure) {
        return noClasses()
                .that()
                .resideInAnyPackage(pure)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.slf4j..");
    }

    /** One package knows Netty's HTTP codec, and only tests the JDK's HTTP server, which reads requests on the threads that answer them. */
    public static ArchRule nettysHttpIsTheHttpServers() {
        return noClasses()
                .that()
                .resideOutsideOfPackages("io.hawser.ops.http..", "io.hawser.ops.testkit..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty.handler.codec.http..", "com.sun.net.httpserver..");
    }
}
