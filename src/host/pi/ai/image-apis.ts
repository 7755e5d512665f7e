type Generate = (model: { api: string }, context: unknown, options?: unknown) => Promise<unknown>;
interface ImagesApi {
  readonly api: string;
  readonly generateImages: Generate;
}

/** Models that make pictures: Seam brings none, an extension may. */
export function imageApis() {
  const known = new Map<string, ImagesApi>();
  const generateImages: Generate = async (model, context, options) => {
    const api = known.get(model.api);
    if (!api) throw new Error(`Nobody registered the api "${model.api}" for pictures.`);
    return api.generateImages(model, context, options);
  };
  return {
    generateImages,
    registerImagesApiProvider: (api: ImagesApi) => void known.set(api.api, api),
    getImagesApiProvider: (api: string) => known.get(api),
    getImageProviders: () => [] as string[],
    getImageModels: (_provider: string) => [] as object[],
    getImageModel: (_provider: string, _id: string) => undefined,
  };
}
