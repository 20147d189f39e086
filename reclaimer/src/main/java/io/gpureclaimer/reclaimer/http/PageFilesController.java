package io.gpureclaimer.reclaimer.http;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/** Style and scripts of the pages, from the class path. */
@Controller("/ui/static")
final class PageFilesController {
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  private final Map<String, PageFile> files = new HashMap<>();

  PageFilesController() {
    add("page.css", "text/css; charset=utf-8", "/page/page.css");
    add("page.js", SCRIPT, "/page/page.js");
    add("htmx.min.js", SCRIPT, "/META-INF/resources/webjars/htmx.org/2.0.10/dist/htmx.min.js");
  }

  private record PageFile(String type, byte[] content) {}

  @Get("/{name}")
  HttpResponse<byte[]> file(String name) {
    PageFile file = files.get(name);
    return file == null
        ? HttpResponse.notFound()
        : HttpResponse.ok(file.content())
            .header("Content-Type", file.type())
            .header("Cache-Control", "max-age=3600");
  }

  private void add(String name, String type, String resource) {
    try (InputStream in = PageFilesController.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the class path has no " + resource);
      }
      files.put(name, new PageFile(type, in.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(resource, e);
    }
  }
}
