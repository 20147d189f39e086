package io.gpureclaimer.deviceplugin.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.deviceplugin.allocation.AdvertisedResource.ListedDevice;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeviceListTest {
  private static final ListedDevice A = new ListedDevice("a", true, List.of(0));
  private static final ListedDevice B = new ListedDevice("b", false, List.of());

  @Test
  void saysTheSame_inWhateverOrder() {
    assertThat(new DeviceList(List.of(B, A))).isEqualTo(new DeviceList(List.of(A, B)));
  }

  @Test
  void knowsTheHealthyOnes() {
    var list = new DeviceList(List.of(A, B));

    assertThat(list.healthy()).isEqualTo(1);
    assertThat(list.healthyIds()).containsExactly("a");
  }

  @Test
  void hasNoFlaw_whenEmptyOrLong() {
    assertThat(new DeviceList(List.of()).flaw()).isEmpty();
    assertThat(many(10_000).flaw()).isEmpty();
  }

  @Test
  void theListOfANodeWithFortyEightSharesOfEachOfEightGpusIsShort() {
    assertThat(ProtoMessages.list(many(8 * 48)).getSerializedSize()).isLessThan(32 * 1024);
  }

  @Test
  void anIdTwiceIsAFlaw() {
    assertThat(new DeviceList(List.of(A, B, A)).flaw())
        .contains("the id a is offered more than once");
  }

  @Test
  void moreThanTheKubeletTakesIsAFlaw() {
    assertThat(many(100_000).flaw())
        .hasValueSatisfying(
            flaw ->
                assertThat(flaw)
                    .startsWith("a list of 100000 devices takes 6388890 bytes, ")
                    .hasLineCount(1));
  }

  private static DeviceList many(int count) {
    return new DeviceList(
        IntStream.range(0, count)
            .mapToObj(
                number ->
                    new ListedDevice(
                        "GPU-aaaaaaaa-0000-0000-0000-000000000000::" + number, true, List.of(0)))
            .toList());
  }
}
