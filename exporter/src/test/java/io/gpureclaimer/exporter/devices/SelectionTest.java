package io.gpureclaimer.exporter.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SelectionTest {

  @Test
  void flexibleShowsAGpuAndItsInstances() {
    var flexible = Selection.of("f");

    assertThat(flexible.showsGpu(3)).isTrue();
    assertThat(flexible.showsInstance(3, 6)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          g         | true  | true  | false
          g:-1      | true  | true  | false
          g:0       | true  | false | false
          g:1-3     | false | true  | false
          g:4, 1    | false | true  | false
          i         | false | false | true
          i:-1      | false | false | true
          i:9       | false | false | true
          i:0-8     | false | false | false
          g+i       | true  | true  | true
          g:0+i:9   | true  | false | true
          i:9+g:0   | true  | false | true
          g:1+i     | false | true  | true
          """)
  void showsWhatIsNamed(String text, boolean gpu0, boolean gpu1, boolean secondInstanceOfGpu1) {
    var selection = Selection.of(text);

    assertThat(selection.showsGpu(0)).isEqualTo(gpu0);
    assertThat(selection.showsGpu(1)).isEqualTo(gpu1);
    assertThat(selection.showsInstance(1, 1)).isEqualTo(secondInstanceOfGpu1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "f:0", "f+g", "g+g:1", "gi", "g0", "+", "G", "all"})
  void refusesAnythingElse(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Selection.of(text))
        .withMessage("must be f, g[:LIST], i[:LIST] or g[:LIST]+i[:LIST]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          g:      | must list numbers and ranges like 0,2-4, but has ""
          g:a     | must list numbers and ranges like 0,2-4, but has "a"
          i:1,    | must list numbers and ranges like 0,2-4, but has ""
          g:1,-1  | must list numbers and ranges like 0,2-4, but has "-1"
          g:3-1   | must have ranges that ascend and end at 4095, but has "3-1"
          g:0-9999| must have ranges that ascend and end at 4095, but has "0-9999"
          """)
  void namesThePartOfAListThatIsWrong(String text, String problem) {
    assertThatIllegalArgumentException().isThrownBy(() -> Selection.of(text)).withMessage(problem);
  }
}
