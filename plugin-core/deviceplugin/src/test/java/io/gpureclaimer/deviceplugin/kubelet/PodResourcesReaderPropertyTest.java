package io.gpureclaimer.deviceplugin.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing.Failed;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesListing.Listed;
import io.gpureclaimer.deviceplugin.kubelet.PodResourcesReader.ListCall;
import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import v1.Api.ContainerResources;
import v1.Api.ListPodResourcesResponse;
import v1.Api.PodResources;

/** Whatever the kubelet answers, it is an answer, or malformed in one line. */
class PodResourcesReaderPropertyTest {
  private static final String GPU = "GPU-aaaaaaaa-0000-0000-0000-000000000000";

  @Property
  @Tag("fuzz")
  void readsOrRefusesAnyBytes(@ForAll byte[] bytes) {
    readOrRefuse(bytes);
  }

  @Property
  @Tag("fuzz")
  void readsOrRefusesWhatWasAnAnswer_beforeSomethingHappenedToIt(
      @ForAll("answers") ListPodResourcesResponse answer, @ForAll("damages") List<Damage> damages) {
    byte[] bytes = answer.toByteArray();
    for (Damage damage : damages) {
      bytes = damage.to(bytes);
    }
    readOrRefuse(bytes);
  }

  /** Against the generated classes, which read all of it at once. */
  @Property
  @Tag("fuzz")
  void readsWhatTheAnswerSays(@ForAll("answers") ListPodResourcesResponse answer) {
    var expected = new LinkedHashSet<ContainerDevice>();
    for (PodResources pod : answer.getPodResourcesList()) {
      for (ContainerResources container : pod.getContainersList()) {
        for (var devices : container.getDevicesList()) {
          for (String id : devices.getDeviceIdsList()) {
            if (devices.getResourceName().startsWith("nvidia.com/")) {
              expected.add(
                  new ContainerDevice(
                      pod.getNamespace(),
                      pod.getName(),
                      container.getName(),
                      devices.getResourceName(),
                      id));
            }
          }
        }
      }
    }

    assertThat(parse(answer.toByteArray())).isEqualTo(new Listed(List.copyOf(expected)));
  }

  /** What a wire, or another program at the other end, does to bytes. */
  record Damage(int at, int kind, byte value) {
    byte[] to(byte[] bytes) {
      if (bytes.length == 0) {
        return new byte[] {value};
      }
      int place = at % bytes.length;
      byte[] damaged;
      switch (kind) {
        case 0 -> damaged = Arrays.copyOf(bytes, place);
        case 1 -> {
          damaged = Arrays.copyOf(bytes, bytes.length + 1);
          System.arraycopy(bytes, place, damaged, place + 1, bytes.length - place);
          damaged[place] = value;
        }
        case 2 -> {
          damaged = Arrays.copyOf(bytes, 2 * bytes.length - place);
          System.arraycopy(bytes, place, damaged, bytes.length, bytes.length - place);
        }
        default -> {
          damaged = bytes.clone();
          damaged[place] = value;
        }
      }
      return damaged;
    }
  }

  private static void readOrRefuse(byte[] bytes) {
    if (parse(bytes) instanceof Failed(var code, var reason)) {
      assertThat(code).isEqualTo("malformed");
      assertThat(reason).hasLineCount(1);
    }
  }

  private static PodResourcesListing parse(byte[] bytes) {
    return ListCall.of(name -> name.startsWith("nvidia.com/"), "gpu.nvidia.com"::equals)
        .parseResponse(new ByteArrayInputStream(bytes));
  }

  @Provide
  Arbitrary<ListPodResourcesResponse> answers() {
    var names = Arbitraries.of("a", "b", "train-0", "é\"\\\n");
    var ids = Arbitraries.of(GPU, GPU + "::0", "MIG-a", "nvidia0", "x");
    var containers =
        Combinators.combine(
                names,
                Arbitraries.of("nvidia.com/gpu", "nvidia.com/mig-1g.10gb", "example.com/port"),
                ids.array(String[].class).ofMaxSize(3))
            .as(FakeKubelet::container);
    return Combinators.combine(names, names, containers.list().ofMaxSize(2))
        .as(
            (namespace, name, all) ->
                PodResources.newBuilder()
                    .setNamespace(namespace)
                    .setName(name)
                    .addAllContainers(all)
                    .build())
        .list()
        .ofMaxSize(3)
        .map(pods -> ListPodResourcesResponse.newBuilder().addAllPodResources(pods).build());
  }

  @Provide
  Arbitrary<List<Damage>> damages() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 1_000),
            Arbitraries.integers().between(0, 6),
            Arbitraries.bytes())
        .as(Damage::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(4);
  }
}
