package io.gpureclaimer.exporter.attribution.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.exporter.attribution.process.ProcessLocation.ContainerRef;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code U} and {@code V} stand for uids, {@code U_} for one in systemd's spelling, {@code C} and
 * {@code D} for containers.
 */
class CgroupTextTest {
  private static final String UID = "0f3c2b1a-1111-4000-8000-0123456789ab";
  private static final String OTHER_UID = "aaaaaaaa-2222-4000-8000-0123456789ab";
  private static final String CONTAINER = "8a9b".repeat(16);
  private static final String OTHER_CONTAINER = "77ee".repeat(16);
  private static final ContainerRef PLACE = new ContainerRef(UID, CONTAINER);
  private static final ContainerRef OTHER = new ContainerRef(OTHER_UID, OTHER_CONTAINER);

  @ParameterizedTest
  @ValueSource(
      strings = {
        // version 2, systemd: containerd, CRI-O, docker; the three classes of service
        "0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podU_.slice/cri-containerd-C.scope",
        "0::/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podU_.slice/crio-C.scope",
        "0::/kubepods.slice/kubepods-podU_.slice/docker-C.scope",
        // a container that makes folders of its own
        "0::/kubepods.slice/kubepods-podU_.slice/crio-C.scope/container",
        "0::/kubepods.slice/kubepods-podU_.slice/cri-containerd-C.scope/init.scope",
        // version 2, cgroupfs
        "0::/kubepods/burstable/podU/C",
        "0::/kubepods/podU/C",
        "0::/kubepods/besteffort/podU/crio-C",
        // version 1, of which one line is enough
        "12:memory:/kubepods/burstable/podU/C\n11:cpu,cpuacct:/\n1:name=systemd:/kubepods/burstable/podU/C",
        "5:devices:/kubepods.slice/kubepods-podU_.slice/docker-C.scope\n4:pids:/user.slice",
        // containerd where only the kubelet is configured for systemd
        "0::/system.slice/containerd.service/kubepods-burstable-podU_.slice:cri-containerd:C",
        "9:pids:/kubepods-burstable-podU_.slice:cri-containerd:C",
        // kind, seen from the machine and from its node
        "0::/docker/D/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-burstable.slice/kubelet-kubepods-burstable-podU_.slice/cri-containerd-C.scope",
        "0::/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-podU_.slice/cri-containerd-C.scope",
        "3:cpu:/docker/D/kubelet/kubepods/besteffort/podU/C",
        // seen from the cgroup namespace of another container
        "0::/../../kubepods-besteffort-podU_.slice/cri-containerd-C.scope",
        "0::/../../../burstable/podU/C",
        "0::/../../podU/C"
      })
  void findsThePodAndTheContainer(String text) {
    assertThat(CgroupText.places(filled(text))).isEqualTo(List.of(PLACE));
  }

  @Test
  void readsTheHashOfAStaticPod() {
    String hash = "0123456789abcdef0123456789abcdef";
    assertThat(CgroupText.places("0::/kubepods/burstable/pod" + hash + "/" + CONTAINER))
        .isEqualTo(List.of(new ContainerRef(hash, CONTAINER)));
  }

  @Test
  void findsEveryCluster_theOutermostFirst() {
    assertThat(
            CgroupText.places(
                filled("0::/kubepods/podU/C/kubelet/kubepods/podV/D\n1:name=x:/kubepods/podU/C")))
        .isEqualTo(List.of(PLACE, OTHER));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n\n",
        "0::/",
        "0::/init.scope",
        "0::/user.slice/user-1000.slice/session-2.scope",
        "0::/system.slice/docker-C.scope",
        "0::/docker/C",
        "0::/kubepods/pod0f3c/C",
        "0::/kubepods/xpodU/C",
        "0::/evil-podU_.slice/docker-C.scope",
        "kubepods/podU/C",
        "/kubepods/podU/C",
        "0:/kubepods/podU/C"
      })
  void whatIsInNoContainerOfAPod_isInNone(String text) {
    assertThat(CgroupText.places(filled(text))).isEmpty();
  }

  /** Of a runtime that we do not know, of a container that is gone, or of the pod's own. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0::/kubepods/podU",
        "0::/kubepods/podU/",
        "0::/kubepods/podU/pause",
        "0::/kubepods/podU/x/C",
        "0::/kubepods.slice/kubepods-podU_.slice",
        "0::/kubepods.slice/kubepods-podU_.slice/crio-conmon-C.scope",
        "0::/kubepods.slice/kubepods-podU_.slice/C.service",
        "0::/kubepods.slice/kubepods-podU_.slice/libpod-C.scope",
        "0::/kubepods.slice/kubepods-podU_.slice/cri-containerd-C.scope (deleted)",
        "0::/kubepods-podU_.slice:wonder:C",
        "5:devices:/kubepods/podU\n4:pids:/kubepods/podU/x"
      })
  void whatIsInAPod_butInNoContainerThatWeCanIdentify_isInThePod(String text) {
    assertThat(CgroupText.places(filled(text))).isEqualTo(List.of(new ContainerRef(UID, null)));
  }

  @Test
  void aContainerThatOneLineReportsIsThatOfAllOthers() {
    assertThat(CgroupText.places(filled("5:devices:/kubepods/podU\n4:pids:/kubepods/podU/C")))
        .isEqualTo(List.of(PLACE));
  }

  @Property
  @Tag("fuzz")
  void nothingIsEverThrown_andNothingIsMadeUp(@ForAll("almost") String text) {
    assertThat(CgroupText.places(text))
        .allSatisfy(
            place -> {
              assertThat(text).contains(place.container().orElse(""));
              assertThat(text.replace('_', '-')).contains(place.podUid());
            });
  }

  @Property
  @Tag("fuzz")
  void whateverStandsAround_thePlaceIsFound(@ForAll("folders") String before) {
    assertThat(CgroupText.places("0::/" + before + filled("/kubepods/podU/C"))).contains(PLACE);
  }

  private static String filled(String text) {
    return text.replace("podU_", "pod" + UID.replace('-', '_'))
        .replace("podU", "pod" + UID)
        .replace("podV", "pod" + OTHER_UID)
        .replaceAll("\\bC\\b", CONTAINER)
        .replaceAll("\\bD\\b", OTHER_CONTAINER);
  }

  /** Text made of the pieces that matter, and of any. */
  @Provide
  Arbitrary<String> almost() {
    return Arbitraries.oneOf(
            Arbitraries.of(
                "0::",
                "1:name=systemd:",
                ":",
                "/",
                "/..",
                "\n",
                "\r",
                "kubepods",
                ".slice",
                ".scope",
                "-",
                "pod",
                "cri-containerd",
                "crio",
                "docker",
                UID,
                UID.replace('-', '_'),
                CONTAINER),
            Arbitraries.strings().ofMaxLength(5))
        .list()
        .ofMaxSize(20)
        .map(pieces -> String.join("", pieces));
  }

  @Provide
  Arbitrary<String> folders() {
    return Arbitraries.strings()
        .ofMaxLength(30)
        .filter(text -> text.lines().count() < 2 && !text.matches("(?s).*[\\r\\n].*"));
  }
}
