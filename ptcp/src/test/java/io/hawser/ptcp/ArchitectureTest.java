package io.hawser.ptcp;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** The rules of this module: what may know what. */
@AnalyzeClasses(packages = "io.hawser", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] PURE = {"io.hawser.ptcp.session..", "io.hawser.ptcp.stream..", "io.hawser.ptcp.tune.."
    };

    /** Nothing that comes is unpacked: no few bytes become many. */
    @ArchTest
    static final ArchRule nothingIsDecompressed = noClasses()
            .that()
            .resideInAPackage("io.hawser.ptcp..")
            .should()
            .dependOnClassesThat()
            .haveNameMatching(
                    "java\\.util\\.zip\\.(.*Inflater.*|GZIPInputStream|ZipInputStream|ZipFile)|java\\.util\\.jar\\..*");

    @ArchTest
    static final ArchRule PTCP_KNOWS_NOTHING_ELSE_OF_HAWSER = noClasses()
            .that()
            .resideInAPackage("io.hawser.ptcp..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.hawser.common..",
                    "io.hawser.client..",
                    "io.hawser.broker..",
                    "io.hawser.agenta..",
                    "io.hawser.agentb..");

    @ArchTest
    static final ArchRule PURE_PACKAGES_DO_NO_IO = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.net..",
                    "java.nio.channels..",
                    "java.nio.file..",
                    "java.util.concurrent..",
                    "io.netty.channel..",
                    "io.netty.bootstrap..",
                    "io.hawser.ptcp.netty..")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.lang.Thread")
            .orShould()
            .dependOnClassesThat()
            .haveNameMatching("java\\.io\\.(File|RandomAccessFile).*");

    /** Whoever drives them tells people. */
    @ArchTest
    static final ArchRule PURE_PACKAGES_LOG_NOTHING = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.slf4j..");

    @ArchTest
    static final ArchRule PURE_PACKAGES_HAVE_NO_CLOCK_AND_NO_DICE = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(java.time.Instant.class, "now")
            .orShould()
            .callConstructorWhere(target(owner(assignableTo(RandomGenerator.class))))
            .orShould()
            .callMethod(ThreadLocalRandom.class, "current")
            .orShould()
            .callMethod(Math.class, "random");

    @ArchTest
    static final ArchRule WIRE_KNOWS_NO_CHANNELS = noClasses()
            .that()
            .resideInAPackage("io.hawser.ptcp.wire..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.netty.channel..", "java.net..", "io.hawser.ptcp.netty..", "io.hawser.ptcp.session..");

    @ArchTest
    static final ArchRule AUTO_READ_IS_SWITCHED_IN_ONE_PLACE = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.hawser.ptcp.netty.ExactReader")
            .should()
            .callMethod(io.netty.channel.ChannelConfig.class, "setAutoRead", boolean.class);

    @ArchTest
    static final ArchRule NO_PACKAGE_CYCLES =
            slices().matching("io.hawser.ptcp.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule INNER_PACKAGES_DO_NOT_KNOW_THE_ROOT = noClasses()
            .that()
            .resideInAPackage("io.hawser.ptcp.*")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.hawser.ptcp");
}
